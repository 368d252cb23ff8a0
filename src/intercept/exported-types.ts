/* What the entries for test runners export besides their functions. */
export type { RequestFilter, WaitOptions } from '../client.ts'
export type { Logger, LogLevel } from '../core/options/options.ts'
export type { LoaderOptions } from './for-each-sad-path.ts'
export type { TestOptions } from './test-layer.ts'
export type { TestClient } from './tests.ts'
