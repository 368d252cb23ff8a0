/* What modules of an application import besides code and JSON. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DocumentNode } from 'graphql'
import { Kind } from 'graphql/language/kinds.js'
import { parse } from 'graphql/language/parser.js'
import { displayPath } from '../../files/paths.ts'

const styles = /\.(?:css|s[ac]ss|less|styl(?:us)?|p(?:ost)?css|sss)$/
/** Components, which a fixture does not render: what imports one mostly wants something else. */
const components = /\.(?:vue|svelte|astro|mdx)$/
const documents = /\.(?:graphql|gql)$/
/** Files whose import is their URL, as in Vite. */
const assets =
  /\.(?:apng|bmp|png|jpe?g|jfif|pjp(?:eg)?|gif|svg|ico|webp|avif|cur|jxl|mp4|webm|ogg|mp3|wav|flac|aac|opus|mov|m4a|vtt|woff2?|eot|ttf|otf|webmanifest|pdf|txt|wasm)$/i

export function isOther(path: string, query: string): boolean {
  return query !== '' || [styles, components, documents, assets].some((kind) => kind.test(path))
}

/** The exports of such a file. Throws if it can't be read. */
export function readOther(path: string, query: string, root: string, base: string): Record<string, unknown> {
  const text = readFileSync(path, 'utf8')
  if (/^\?(?:.*&)?raw\b/.test(query)) return { default: text }
  if (/^\?(?:.*&)?url\b/.test(query) || assets.test(path)) return { default: addressOf(path, root, base) }
  if (documents.test(path)) return exportDocument(readDocument(path, text))
  return { default: {} }
}

/** Writes the exports as an ES module, for a bundler. */
export function writeOther(...file: Parameters<typeof readOther>): string {
  const statements = Object.entries(readOther(...file)).map(([name, value]) => {
    const text = JSON.stringify(value)
    return name === 'default' ? `export default ${text}` : `export const ${name} = ${text}`
  })
  return statements.join('\n')
}

/** The URL of a file as the dev server of Vite has it. */
function addressOf(path: string, root: string, base: string): string {
  const shown = displayPath(root, path).replace(/^public\//, '')
  return shown.startsWith('/') ? `${base}@fs${shown}` : `${base}${shown}`
}

/** A document with those that it names in comments, as in `#import "./fragment.graphql"`. */
function readDocument(path: string, text: string, seen = new Set([path])): DocumentNode {
  const imported = [...text.matchAll(/^#\s*import\s+["']([^"'\n]+)["']/gm)].flatMap(([, name = '']) => {
    const file = resolve(dirname(path), name)
    return seen.has(file) ? [] : readDocument(file, readFileSync(file, 'utf8'), seen.add(file)).definitions
  })
  const document = parse(text)
  return { ...document, definitions: [...document.definitions, ...imported] }
}

/** The document by default, and each operation and fragment by its name, with all fragments. */
function exportDocument(document: DocumentNode): Record<string, unknown> {
  const { definitions } = document
  const named = definitions.flatMap((one): [string, DocumentNode][] => {
    if (one.kind !== Kind.OPERATION_DEFINITION && one.kind !== Kind.FRAGMENT_DEFINITION) return []
    const others = definitions.filter((other) => other !== one && other.kind === Kind.FRAGMENT_DEFINITION)
    return one.name ? [[one.name.value, { ...document, definitions: [one, ...others] }]] : []
  })
  return { ...Object.fromEntries(named), default: document }
}
