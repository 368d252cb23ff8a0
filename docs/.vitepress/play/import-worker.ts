import './without-node.ts'
import { importText } from './import.ts'
import { reasonOf } from '../../../src/core/values/thrown.ts'

addEventListener('message', ({ data }: MessageEvent<string>) => {
  void importText(data)
    .catch((error: unknown) => ({ notes: [`It can't be imported: ${reasonOf(error)}`] }))
    .then((made) => postMessage(made))
})
