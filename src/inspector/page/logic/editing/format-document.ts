import { parse } from 'graphql/language/parser.js'
import { print } from 'graphql/language/printer.js'
import { attempt } from '../../../../core/values/thrown.ts'

/** A document in one line gets one of its own for each field. One that has lines stays, since errors name their places. */
export function formatDocument(document: string): string {
  if (document.trim().includes('\n')) return document
  return attempt(() => print(parse(document))) ?? document
}
