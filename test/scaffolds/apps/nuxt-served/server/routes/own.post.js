export default defineEventHandler(async (event) => `got ${await readRawBody(event)}`)
