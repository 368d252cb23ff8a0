/*
 * `npm run build`, in one process: starting one for each step would take longer than most steps. With `--no-dts`, it leaves out the
 * declaration files, which take most of its time, and which no test of `npm test` reads.
 */
import { build } from 'tsup'

const withoutTypes = process.argv.includes('--no-dts') && { dts: false }
// tsup makes the declaration files in a worker thread. Meanwhile this thread writes the schema.
await Promise.all([build({ silent: true, ...withoutTypes }), import('./fixture-schema.ts')])
await import('./commonjs.ts')
await import('./licenses.ts')
