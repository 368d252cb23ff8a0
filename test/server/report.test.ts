import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../src/core/diagnostics/diagnostic.ts'
import type { LogLevel } from '../../src/core/options/options.ts'
import { createReporter } from '../../src/server/report.ts'
import { recorder } from '../hosts/serve.ts'

const warning = (message: string, more: Partial<Diagnostic> = {}): Diagnostic => ({
  code: 'route-unmatched',
  severity: 'warning',
  message,
  fix: 'Fix it.',
  ...more,
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function reporter(logLevel: LogLevel = 'info') {
  const { log, logger } = recorder()
  return { log, report: createReporter({ logger, logLevel }) }
}

describe('what is reported', () => {
  it('is logged once as a warning, and each time as an error', () => {
    const { log, report } = reporter()
    for (const severity of ['warning', 'warning', 'error', 'error'] as const)
      report(warning('a', { severity }))
    expect(log).toHaveLength(3)
  })

  it.each<[logLevel: LogLevel, lines: number]>([
    ['silent', 0],
    ['error', 1],
    ['warn', 2],
    ['info', 2],
  ])('at the log level %s is %i lines of a warning and an error', (logLevel, lines) => {
    const { log, report } = reporter(logLevel)
    report(warning('a'))
    report(warning('b', { severity: 'error' }))
    expect(log).toHaveLength(lines)
  })

  it('is cut where it is long, and says how to fix it all the same', () => {
    const { log, report } = reporter()
    report(warning('m'.repeat(1_000_000), { frame: 'f'.repeat(1_000_000) }))
    expect(log).toHaveLength(1)
    expect(log[0]!.length).toBeLessThan(2100)
    expect(log[0]).toMatch(/m…\nf+…\n {2}Fix: Fix it\. \[route-unmatched\]$/)
  })

  it('is remembered for the last 1000 warnings', () => {
    const { log, report } = reporter()
    for (let i = 0; i < 1500; i++) report(warning(`number ${i}`))
    log.length = 0
    for (const i of [1499, 600, 400]) report(warning(`number ${i}`))
    expect(log).toEqual([expect.stringContaining('number 400')])
  })

  it.each<LogLevel>(['info', 'silent'])('keeps no long text alive at the log level %s', (logLevel) => {
    const { report } = reporter(logLevel)
    const letters = 1_000_000
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 100; i++)
      report(warning(`${i} ${String.fromCharCode(97 + (i % 26)).repeat(letters)}`))
    collectGarbage()
    // Kept whole, they would be 100 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000)
  })
})
