/* What graphql-ws imports from graphql-js. The build puts it there, since the routes answer: no part executes an operation. */

export { GraphQLError } from 'graphql/error/GraphQLError.js'
export { getOperationAST } from 'graphql/utilities/getOperationAST.js'
export const versionInfo = { major: 16 }

export function execute(): never {
  throw new Error('graphql-ws has to take the execution that it is given.')
}
export const [parse, validate, subscribe] = [execute, execute, execute]
