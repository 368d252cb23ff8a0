import { expect, it } from 'vitest'
import { commandOf } from '../../../../src/inspector/page/logic/commands.ts'

const none = { ctrlKey: false, metaKey: false, altKey: false }
const body = { tagName: 'BODY' }
const row = { tagName: 'DIV', role: 'option' }
const button = { tagName: 'BUTTON' }
const field = { tagName: 'INPUT', type: 'search' }
const box = { tagName: 'INPUT', type: 'checkbox' }

it.each([
  ['/', body, 'filter'],
  ['j', row, 'next'],
  ['k', button, 'previous'],
  ['ArrowDown', row, 'next'],
  ['ArrowDown', body, 'next'],
  ['ArrowDown', button, undefined],
  ['Enter', row, 'open'],
  ['Enter', button, undefined],
  ['c', box, 'clear'],
  ['c', field, undefined],
  ['?', { tagName: 'TEXTAREA' }, undefined],
  ['?', { tagName: 'SELECT' }, undefined],
  ['?', { tagName: 'P', isContentEditable: true }, undefined],
  ['Escape', field, 'back'],
  ['x', body, undefined],
])('%s in %j is %s', (key, target, command) => {
  expect(commandOf({ ...none, key }, target)).toBe(command)
})

it.each(['ctrlKey', 'metaKey', 'altKey'])('keys with %s belong to the browser', (modifier) => {
  expect(commandOf({ ...none, [modifier]: true, key: 'c' }, body)).toBeUndefined()
})
