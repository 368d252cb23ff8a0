import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { compileValues } from '../request-values/compile-values.ts'
import { prepareResponse, type PreparedResponse } from '../response/prepare-response.ts'
import type { Delay } from '../schema/fault-schema.ts'
import type { Trigger } from '../schema/stream-schema.ts'
import type { FixtureSocket, SocketFunction, SocketStep } from '../schema/websocket-schema.ts'
import { compileSelector } from '../select/compile-selector.ts'
import { isMet, type Selector } from '../select/selector.ts'
import type { KeyPath } from '../values/values.ts'

export interface CompiledSocket {
  /** Preferred first; `undefined` takes the first that the client names. */
  protocols: readonly string[] | undefined
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

type PlaceOf = (path: KeyPath) => SourceLocation

/** @param place of a path below `websocket` */
export function compileSocket(
  given: FixtureSocket,
  params: readonly string[],
  place: PlaceOf,
): { socket: CompiledSocket; diagnostics: Diagnostic[] } {
  const { protocol, status = opened, delay, fault, open = [], messages = [], on = [], close } = given
  const diagnostics: Diagnostic[] = []
  const stepOf = (step: SocketStep, path: KeyPath) => {
    const { value, diagnostics: found } = compileValues(step.send, {
      params,
      place: (keys) => place([...path, 'send', ...keys]),
    })
    diagnostics.push(...found)
    return compileStep(step, value)
  }
  const opening = [open].flat()
  const socket: CompiledSocket = {
    protocols: protocol === undefined ? undefined : [protocol].flat(),
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
