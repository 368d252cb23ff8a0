import { reasonOf } from '../../../src/core/values/thrown.ts'
import { readOpenApi } from './openapi.ts'

/* Patterns of a document can take years: only a worker can be ended. */

addEventListener('message', ({ data }: MessageEvent<string>) => {
  void readOpenApi(data)
    .catch((error: unknown) => ({ notes: [`It can't be imported: ${reasonOf(error)}`] }))
    .then((made) => postMessage(made))
})
