/* `npm run build`, in one process: starting one for each step would take longer than most steps. */
import { build } from 'tsup'
import { writeTemplates } from './templates.ts'

await writeTemplates() // before the builds, which include them
// Most of the time goes into the declaration files, which tsup makes in a worker thread. Meanwhile this thread writes the schema.
await Promise.all([build({ silent: true }), import('./fixture-schema.ts')])
await import('./commonjs.ts')
await import('./licenses.ts')
