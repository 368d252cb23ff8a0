#!/usr/bin/env node
import { run } from './cli/run.ts'
import { processTerminal } from './cli/terminal.ts'

const terminal = processTerminal()
const exitCode = await run(process.argv.slice(2), terminal)
// A fixture module may have started a timer, which would keep the process alive.
terminal.end(exitCode)
