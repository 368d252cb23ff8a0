/* Stands for the types of `@jest/globals` (tsconfig.json), which bring those of all of Jest, and other types of `fetch`. */
import type { Hooks } from './tests.ts'

export const beforeEach: Hooks['beforeEach']
export const afterEach: Hooks['afterEach']
