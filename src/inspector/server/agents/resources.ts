import { readPackageFile } from '../../../files/package-folder.ts'

/* The documentation in the package, as resources. */

/** Characters; the end of a text that is cut says where the rest is. */
const maxText = 20_000
const scheme = 'mock-api://'
const schemaUri = `${scheme}schema`
const isPage = /^[a-z]+(?:-[a-z]+)*$/

/** `llms.txt` lists the pages, each with its first sentence. */
export function listResources(): object[] {
  const lines = readPackageFile('llms.txt').matchAll(/^- \[(.+)\]\(docs\/(.+)\.md\): (.+)$/gm)
  const pages = [...lines].filter(([, , name]) => isPage.test(name!))
  return [
    ...pages.map(([, title, name, description]) => {
      const uri = `${scheme}docs/${name}`
      return { uri, name, title, description, mimeType: 'text/markdown' }
    }),
    {
      uri: schemaUri,
      name: 'schema',
      title: 'JSON Schema of fixture files',
      mimeType: 'application/schema+json',
    },
  ]
}

export const resourceTemplates = [
  {
    uriTemplate: `${scheme}diagnostics/{code}`,
    name: 'diagnostic',
    title: 'A diagnostic by its code',
    description: 'What a message means and how to fix it, such as mock-api://diagnostics/route-unmatched.',
    mimeType: 'text/markdown',
  },
]

/** `undefined` for what is no resource. */
export function readResource(uri: string): { text: string; mimeType: string } | undefined {
  const [address = '', query] = uri.split('?from=')
  const text = address.startsWith(scheme) ? resourceText(address.slice(scheme.length)) : undefined
  const from = Number(query ?? 0)
  if (text === undefined || !Number.isInteger(from) || from < 0) return undefined
  const end = from + maxText
  const rest = end < text.length ? `\n\n[${text.length - end} more characters: ${address}?from=${end}]\n` : ''
  const mimeType = address === schemaUri && !rest && from === 0 ? 'application/schema+json' : 'text/markdown'
  return { text: text.slice(from, end) + rest, mimeType }
}

function resourceText(path: string): string | undefined {
  const [kind, name = ''] = path.split('/')
  try {
    if (path === 'schema') return readPackageFile('fixture.schema.json')
    if (path === `docs/${name}` && isPage.test(name)) return readPackageFile(`docs/${name}.md`)
    if (kind !== 'diagnostics' || !isPage.test(name)) return undefined
    return readPackageFile('docs/diagnostics.md')
      .split(/^(?=## )/m)
      .find((section) => section.startsWith(`## \`${name}\``))
  } catch {
    return undefined
  }
}
