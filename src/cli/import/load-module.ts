import { createJiti } from 'jiti'
import { reasonOf } from '../../core/values/thrown.ts'

/**
 * The exports of a module of the project, in TypeScript or JavaScript.
 *
 * @throws Error with the name of the file, when it can't be loaded
 */
export async function loadModule(path: string): Promise<Record<string, unknown>> {
  try {
    return await createJiti(path, { fsCache: false }).import<Record<string, unknown>>(path)
  } catch (error) {
    // Node adds the list of importing modules on lines of their own.
    const [reason] = reasonOf(error).split('\nRequire stack:')
    throw new Error(`${path} can't be loaded: ${reason}`, { cause: error })
  }
}
