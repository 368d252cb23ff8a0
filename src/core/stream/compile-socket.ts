import { diagnoseFixture } from '../diagnostics/fixture-texts.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { compileValues } from '../request-values/compile-values.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import type { Delay } from '../schema/fault-schema.ts'
import type { Trigger } from '../schema/stream-schema.ts'
import type { FixtureSocket, SocketFunction, SocketStep } from '../schema/websocket-schema.ts'
import { compileSelector } from '../select/compile-selector.ts'
import { eventKeys, isWrittenPacket, type socketFramings } from './socket-framing.ts'
import { isMet, type Selector } from '../select/selector.ts'
import { isRecord, type KeyPath } from '../values/values.ts'

export interface CompiledSocket {
  /** Preferred first; `undefined` takes the first that the client names. */
  protocols: readonly string[] | undefined
  framing: keyof typeof socketFramings
  /** Socket.IO: all but the namespace of the route itself. */
  namespaces: ReadonlyMap<string, CompiledSocket>
  open: readonly CompiledStep[]
  messages: readonly CompiledMessage[]
  on: readonly Trigger[]
  /** Status 101 opens the WebSocket, every other one refuses it. */
  handshake: (routeName: string) => PreparedResponse
}

export interface CompiledStep {
  delay: Delay
  /** Text and bytes as they are, everything else as JSON. A message may be a `RequestValue`. */
  message?: unknown
  close?: { code: number; reason: string } | undefined
  fault?: SocketStep['fault']
  scenario?: SocketStep['scenario']
}

type CompiledMessage =
  { selector: Selector | undefined; steps: readonly CompiledStep[] } | { respond: SocketFunction }

export const opened = 101

type PlaceOf = (path: KeyPath, part?: 'key' | 'value') => SourceLocation

const ofNamespace = { what: 'The name of a namespace', expected: 'a text such as "/admin"' }
const ofSocketIo = {
  what: '"protocol" beside "namespaces"',
  expected: 'socket.io',
  received: 'another one',
  fix: 'Only Socket.IO has namespaces: write protocol: socket.io, or give each its own path.',
}

const misspelt = {
  what: 'The protocol of Socket.IO',
  expected: 'socket.io',
  received: 'another spelling, or a list',
  fix: 'Write protocol: socket.io.',
}

/** @param place of a path below `websocket` */
export function compileSocket(
  given: FixtureSocket,
  params: readonly string[],
  place: PlaceOf,
): { socket: CompiledSocket; diagnostics: Diagnostic[] } {
  const { protocol, status = opened, delay, fault, open = [], messages = [], on = [], close } = given
  const isSocketIo = protocol === 'socket.io'
  const diagnostics: Diagnostic[] = []
  const stepOf = (step: SocketStep, path: KeyPath) => {
    const { value, diagnostics: found } = compileValues(step.send, {
      params,
      place: (keys) => place([...path, 'send', ...keys]),
    })
    diagnostics.push(...found)
    if (isSocketIo && isWrittenPacket(step.send)) {
      const at: PlaceOf = (keys, part) => place([...path, 'send', ...keys], part)
      diagnostics.push(...unknownKeys(step.send, at), ...conflictingKeys(step.send, at))
    }
    if (!isSocketIo || step.bytes === undefined) return compileStep(step, value)
    diagnostics.push(diagnoseRequest('socket-io', place([...path, 'bytes']), { why: 'binary' }))
    return compileStep({ ...step, bytes: undefined }, value)
  }
  const opening = [open].flat()
  const namespaces = Object.entries(given.namespaces ?? {}).map(([name, namespace]) => {
    const at: PlaceOf = (keys, part) => place(['namespaces', name, ...keys], part)
    if (!/^\/[^,?]+$/.test(name))
      diagnostics.push(
        diagnoseFixture('fixture-invalid', at([]), { ...ofNamespace, received: JSON.stringify(name) }),
      )
    const compiled = compileSocket({ protocol: 'socket.io', ...namespace }, params, at)
    diagnostics.push(...compiled.diagnostics)
    return [name, compiled.socket] as const
  })
  const looksLikeIt = [protocol].flat().some((one) => /^socket[-_.]?io$/i.test(one ?? ''))
  if (looksLikeIt && !isSocketIo)
    diagnostics.push(diagnoseFixture('fixture-invalid', place(['protocol']), misspelt))
  if (namespaces.length > 0 && !isSocketIo)
    diagnostics.push(diagnoseFixture('fixture-invalid', place(['namespaces']), ofSocketIo))
  const socket: CompiledSocket = {
    protocols: protocol === undefined || isSocketIo ? undefined : [protocol].flat(),
    framing: isSocketIo ? 'socket.io' : 'none',
    namespaces: new Map(namespaces),
    open: [
      ...opening.flatMap((step, index) => stepOf(step, Array.isArray(open) ? ['open', index] : ['open'])),
      ...(close === undefined ? [] : compileStep({ close }, undefined)),
    ],
    messages: messages.map((message, index) => {
      if (typeof message === 'function') return { respond: message }
      const { when, then = [], ...first } = message
      const at: KeyPath = ['messages', index]
      const compiled =
        when === undefined
          ? undefined
          : compileSelector({ body: when }, ([, ...keys]) => place([...at, 'when', ...keys]))
      diagnostics.push(...(compiled?.diagnostics ?? []))
      if (isSocketIo && isRecord(when))
        diagnostics.push(...unknownKeys(when, (keys, part) => place([...at, 'when', ...keys], part)))
      const steps = [first, ...[then].flat()].flatMap((step, turn) =>
        stepOf(step, turn === 0 ? at : [...at, 'then', ...(Array.isArray(then) ? [turn - 1] : [])]),
      )
      return { selector: compiled?.selector, steps }
    }),
    on: [on].flat(),
    handshake: (name) =>
      prepareResponse({ status, ...(delay !== undefined && { delay }), ...(fault && { fault }) }, name),
  }
  return { socket, diagnostics }
}

/** Keys of an event of Socket.IO that would be ignored, in a step or in a selector. */
function unknownKeys(event: Record<string, unknown>, place: PlaceOf): Diagnostic[] {
  const keys = Object.keys(event).filter((key) => !eventKeys.includes(key))
  return keys.map((key) =>
    diagnoseFixture('fixture-unknown-key', place([key], 'key'), { key, known: eventKeys }),
  )
}

function conflictingKeys(sent: Record<string, unknown>, place: PlaceOf): Diagnostic[] {
  const pairs = [
    ['data', 'args'],
    ['ack', 'event'],
  ].filter((keys) => keys.every((key) => key in sent))
  return pairs.map((keys) =>
    diagnoseFixture('fixture-conflicting-keys', place([keys[1]!], 'key'), {
      keys,
      place: 'An event of Socket.IO',
    }),
  )
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

export function compileSteps(given: SocketStep | SocketStep[] | undefined): CompiledStep[] {
  return [given ?? []].flat().flatMap((step) => compileStep(step, step.send))
}

function compileStep(
  { delay = 0, bytes, close, fault, scenario }: SocketStep,
  send: unknown,
): CompiledStep[] {
  const { code = 1000, reason = '', after = 0 } = typeof close === 'object' ? close : { code: close }
  const message = bytes === undefined ? send : Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))
  const isFirst = message === undefined && scenario === undefined
  return [
    ...(isFirst ? [] : [{ delay, ...(message !== undefined && { message }), ...(scenario && { scenario }) }]),
    ...(fault !== undefined ? [{ delay: isFirst ? delay : 0, fault }] : []),
    ...(close !== undefined
      ? [{ delay: isFirst && after === 0 ? delay : after, close: { code, reason } }]
      : []),
  ]
}

/** The first entry that fits the message, which is the body of the request. */
export function findAnswer({ messages }: CompiledSocket, request: ParsedRequest) {
  return messages.find((message) => {
    if ('respond' in message || !message.selector) return true
    const { equalities, tests } = message.selector
    return (
      equalities.every((equality) => isMet(equality, request)) && tests.every((test) => test.holds(request))
    )
  })
}
