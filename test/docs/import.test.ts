/* The examples of docs/import.md are what the importers write. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { entry, har, json } from '../cli/import/har.ts'
import { folderWith, runIn } from '../cli/test-terminal.ts'
import { blocksOf, readPage } from './pages.ts'

const page = readPage('docs/import.md')
const blocks = blocksOf('docs/import.md')
const [, harCommand, openapiCommand] = blocks.filter(({ language }) => language === 'sh')
const [orders, document, openapiRoutes] = blocks.filter(({ language }) => language === 'yaml')

async function run(command: string, file: string, text: string) {
  const root = folderWith({ [file]: text })
  const args = command.trim().replace('npx unplugin-mock-api ', '').split(' ')
  const { exitCode, stderr } = await runIn(root, args)
  expect(exitCode, stderr).toBe(0)
  const folder = join(root, 'fixtures')
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

it('the HAR file', async () => {
  const recorded = JSON.parse(blocks.find(({ language }) => language === 'json')!.text) as {
    request: string
    status: number
    body: object
  }[]
  const entries = recorded.map(({ request, status, body }) => {
    const [method, url] = request.split(' ') as [string, string]
    return entry({ method, url, status, content: json(body), type: 'fetch' })
  })
  expect(await run(harCommand!.text, 'shop.har', har(entries))).toEqual({ 'orders-id.yaml': orders!.text })
})

it('the OpenAPI document', async () => {
  expect(await run(openapiCommand!.text, 'openapi.yaml', document!.text)).toEqual({
    'orders.yaml': openapiRoutes!.text,
  })
})

it('every importer', async () => {
  const { stdout } = await runIn('.', ['import', '--help'])
  const [, commands = ''] = stdout.split('Commands:')
  for (const [, name] of commands.matchAll(/^ {2}(?!help )([a-z-]+) /gm))
    expect(page).toContain(`import ${name!} `)
  expect(stdout).toContain('json-server')
})
