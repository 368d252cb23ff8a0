export default defineEventHandler(async (event) => `Nuxt got ${await readRawBody(event)}`)
