import { styleText } from 'node:util'
import type { Paint } from '../../core/options/logger.ts'

const formats = { error: 'red', warning: 'yellow', fix: 'dim' } as const

/** Adds no colours for a pipe, or with `NO_COLOR`. Loggers write errors and warnings to standard error. */
export const paint: Paint = (tone, text) => styleText(formats[tone], text, { stream: process.stderr })
