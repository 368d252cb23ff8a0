/*
 * What explains requests that no route has answered, or whose route has failed. It is a `LaterPart`: most requests need none
 * of it.
 */
export { diagnoseRequest } from '../diagnostics/request-texts.ts'
export { describeUnanswered } from '../table/similar.ts'
export {
  errorResponse,
  explainError,
  explainUnmatched,
  explainUnparsed,
  failByOverride,
  notFoundResponse,
  plainError,
  refusePage,
  refuseTooMany,
} from './error-response.ts'
export { functionFailed } from './function-failed.ts'
export { refuseBody, refuseUnreadable } from './refuse-body.ts'
