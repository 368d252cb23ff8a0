export const shortcuts = [
  { keys: ['/'], command: 'filter', help: 'Filter the list' },
  { keys: ['j', 'ArrowDown'], command: 'next', help: 'Next request' },
  { keys: ['k', 'ArrowUp'], command: 'previous', help: 'Previous request' },
  { keys: ['Enter'], command: 'open', help: 'Go to the details of the request' },
  { keys: ['Escape'], command: 'back', help: 'Back to the list; close what is open' },
  { keys: ['1', '2', '3'], command: 'tab', help: 'Decision, request, answer' },
  { keys: ['s'], command: 'switches', help: 'Scenarios and overrides' },
  { keys: ['p'], command: 'pause', help: 'Pause, or resume' },
  { keys: ['c'], command: 'clear', help: 'Clear the list' },
  { keys: ['g'], command: 'group', help: 'Group repeated requests, or show each' },
  { keys: ['m'], command: 'pin', help: 'Pin the request, or unpin it' },
  { keys: ['?'], command: 'help', help: 'These keys' },
] as const

export type Command = (typeof shortcuts)[number]['command']

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>
type Focused = Pick<HTMLElement, 'tagName'> &
  Partial<Pick<HTMLInputElement, 'role' | 'isContentEditable' | 'type'>>

/** `undefined` where the key belongs to the focused element. */
export function commandOf({ key, ctrlKey, metaKey, altKey }: Pressed, focused: Focused): Command | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  const command = shortcuts.find(({ keys }) => (keys as readonly string[]).includes(key))?.command
  if (command === undefined || command === 'back') return command
  if (isTypedIn(focused)) return undefined
  // Elsewhere, Enter presses what is focused, and arrows scroll or choose.
  const isInList = focused.tagName === 'BODY' || focused.role === 'option'
  const isLetter = key.length === 1
  return isLetter || isInList ? command : undefined
}

function isTypedIn({ tagName, isContentEditable, type = '' }: Focused): boolean {
  if (tagName === 'INPUT') return !/^(?:checkbox|radio|button)$/.test(type)
  return isContentEditable === true || tagName === 'TEXTAREA' || tagName === 'SELECT'
}
