import { toJsonSchemaDefs } from '@valibot/to-json-schema'
import { apiSchemas } from '../api/schemas.ts'
import { apiParameters, endpoints, type ApiEndpoint } from '../api/endpoints.ts'

export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const [method, path] = name.split(' ') as [string, string]
    ;(paths[path] ??= {})[method.toLowerCase()] = describe(method !== 'GET', endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of unplugin-mock-api',
      version: '1',
      description: 'What was asked, who answered and why; and switches for the mock server.',
    },
    servers: [{ url: '/__mock-api/api' }],
    paths,
    components: {
      schemas: toJsonSchemaDefs(apiSchemas, {
        target: 'draft-2020-12',
        errorMode: 'ignore',
        overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
      }),
    },
  }
}

function describe(isChanging: boolean, endpoint: ApiEndpoint): object {
  const { summary, body, answer, contentType = '', parameters = [], errors = [] } = endpoint
  const names = isChanging ? [...parameters, 'x-mock-api' as const] : parameters
  const statuses = [...(isChanging ? [400, 413] : []), 403, 500, ...errors].sort()
  const type = contentType === 'application/json' ? 'object' : 'string'
  const ok = answer === undefined ? { [contentType]: { schema: { type } } } : jsonOf(answer)
  const error = { description: 'An error', content: jsonOf('ApiError') }
  return {
    summary,
    ...(names.length > 0 && { parameters: names.map(describeParameter) }),
    ...(body && { requestBody: { required: body !== 'ResetOptions', content: jsonOf(body) } }),
    responses: {
      200: { description: 'OK', content: ok },
      ...Object.fromEntries(statuses.map((status) => [status, error])),
    },
  }
}

function describeParameter(name: keyof typeof apiParameters): object {
  const parameter = apiParameters[name]
  return { name, ...parameter, ...toJsonSchemaDefs({ schema: parameter.schema }) }
}

function jsonOf(name: string): object {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
}
