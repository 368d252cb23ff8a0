/** An OpenAPI document, to which more paths can be added. */
export const openApi = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets/{petId}:
    get:
      tags: [pets]
      parameters: [{ name: petId, in: path, required: true, schema: { type: string, pattern: '^[a-z]{3}$' } }]
      responses: { 200: { content: { application/json: { example: { id: 1, name: Rex } } } } }
`
