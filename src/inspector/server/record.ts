import * as v from 'valibot'
import { isTarget } from '../../core/options/record-options.ts'
import type { RecordState } from '../api.ts'
import type { ApiRequest, InspectedServer } from './context.ts'
import { checkBody } from './read-json.ts'

const expected = 'a URL such as "https://staging.example", without a query'
const switchSchema = v.strictObject({
  recording: v.boolean(),
  target: v.optional(v.custom<string>((given) => typeof given === 'string' && isTarget(given), expected)),
})

/** Starts and stops recordings, and says what they have. */
export function createRecordSwitch(server: InspectedServer) {
  const state = (): RecordState => {
    const { current, target, folder, result } = server.recording
    return {
      recording: current !== undefined,
      ...(target !== undefined && { target }),
      folder,
      answers: result?.answers ?? 0,
      files: [...(result?.files ?? [])],
      omitted: [...(result?.omitted ?? [])],
    }
  }

  return {
    state,

    set: async ({ body }: ApiRequest): Promise<RecordState> => {
      const { recording, target } = checkBody(switchSchema, body)
      await (recording ? server.recording.start(target) : server.recording.stop())
      return state()
    },
  }
}
