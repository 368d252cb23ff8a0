/** The functions that are timed one by one. The package does not export them, so they are bundled from its source. */
export { createChecker } from '../../src/core/graphql-schema/create-checker.ts'
export { createDocumentReader, operationOf } from '../../src/core/graphql/document.ts'
export { acceptedGraphQL } from '../../src/core/http/raw-request.ts'
export { defaultGraphQL } from '../../src/core/graphql/settings.ts'
export { shapeResult } from '../../src/core/graphql/shape-result.ts'
export { prepareResponse } from '../../src/core/response/prepare-response.ts'
