import { expect, it } from 'vitest'
import { createLogger, type Paint } from '../../../src/core/options/logger.ts'
import { formatDiagnostic } from '../../../src/core/diagnostics/format.ts'
import { diagnoseFixture } from '../../../src/core/diagnostics/fixture-texts.ts'
import { diagnoseRequest } from '../../../src/core/diagnostics/request-texts.ts'

const paint: Paint = (tone, text) => `<${tone}>${text}</>`

function logged(level: 'info' | 'warn' | 'error', message: string, how?: { paint: Paint }): string {
  const lines: string[] = []
  const write = (text: string) => void lines.push(text)
  createLogger({ info: write, warn: write, error: write }, 'info', how)[level](message)
  return lines.join()
}

const miss = formatDiagnostic(diagnoseRequest('route-unmatched', {}, { request: 'GET /a', nearest: '"b"' }))
const broken = formatDiagnostic(diagnoseFixture('body-not-sent', {}, { key: 'body', status: 204 }))

it.each<[level: 'info' | 'warn' | 'error', message: string, head: RegExp, fix: RegExp]>([
  ['error', miss, /^<warning>\[mock-api\] No route matched GET \/a\. .*<\/>\n/, /\n<fix> {2}Fix: .*<\/>$/],
  ['error', broken, /^<error>\[mock-api\] .*<\/>\n/, /\n<fix> {2}Fix: .*<\/>$/],
  ['warn', 'odd', /^<warning>\[mock-api\] odd<\/>$/, /odd/],
  ['info', 'reloaded', /^\[mock-api\] reloaded$/, /reloaded/],
])('%s %j has its colours, and none by default', (level, message, head, fix) => {
  expect(logged(level, message, { paint })).toMatch(head)
  expect(logged(level, message, { paint })).toMatch(fix)
  expect(logged(level, message)).toBe(`[mock-api] ${message}`)
})

it('only the package writes colours', () => {
  expect(logged('warn', '\x1b[31mred', { paint })).toBe('<warning>[mock-api] \\x1b[31mred</>')
})
