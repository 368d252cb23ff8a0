/* What is loaded with the first fixture file in code. */
export { createProjectJiti } from './evaluate.ts'
export { createFollow } from './follow-import.ts'
export { projectWorld } from './project-world.ts'
export { createResolver } from './resolve-import.ts'
