import type { Feature } from './feature.ts'
import { emitAnswers } from './live/emit-answers.ts'
import { notices } from './notices.ts'

/** Features of all hosts. Notices come first, so that the log says why before anything else happens. */
export const features: readonly Feature[] = [notices, emitAnswers]
