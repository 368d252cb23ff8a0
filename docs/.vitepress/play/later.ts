/* What the first answer does not need: the page loads it afterwards. */

export { default as schema } from '../../../fixture.schema.json'
export { FixtureArea } from '../../../src/inspector/page/parts/fixture-area.tsx'
export { Decision } from '../../../src/inspector/page/views/decision.tsx'
export { RequestFields } from '../../../src/inspector/page/views/try-view.tsx'
export { Import, importInWorker, Project } from './dialogs.tsx'
