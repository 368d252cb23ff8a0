/* Stands for the types of `@jest/globals` (tsconfig.json), which bring those of all of Jest, and other types of `fetch`. */
import type { TestHooks } from './tests.ts'

export const beforeEach: TestHooks['beforeEach']
export const afterEach: TestHooks['afterEach']
