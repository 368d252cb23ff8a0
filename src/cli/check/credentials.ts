import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { fileToRead } from '../places.ts'
import { UsageError, type Terminal } from '../terminal.ts'

/** Who asks a backend. */
export interface Credentials {
  header?: string[]
  cookies?: string
  script?: string
}

/** Headers in an environment variable stay out of the history of the shell, and out of the log of a workflow. */
const variable = 'MOCK_API_HEADERS'

/** @throws UsageError for a line that is no header, and a file that is not there */
export async function readCredentials(
  { cwd }: Terminal,
  { header = [], cookies, script }: Credentials,
): Promise<Record<string, string>> {
  const lines = [...(process.env[variable] ?? '').split('\n').filter((line) => line.trim() !== ''), ...header]
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
      if (name === undefined)
        throw new UsageError(
          `${JSON.stringify(line.slice(0, 20))} is not a header, such as "authorization: Bearer …".`,
        )
      return [name.toLowerCase(), value!]
    }),
  )
  if (cookies !== undefined) headers['cookie'] = cookieHeader(readFileSync(fileToRead(cwd, cookies), 'utf8'))
  if (script === undefined) return headers
  const module = (await import(pathToFileURL(fileToRead(cwd, script)).href)) as { default?: unknown }
  if (typeof module.default !== 'function')
    throw new UsageError(`${script} has to export a function by default, which returns headers.`)
  return { ...headers, ...((await (module.default as () => unknown)()) as Record<string, string>) }
}

/** A file of cookies as curl and browsers write it, or the value of the header. @see https://curl.se/docs/http-cookies.html */
function cookieHeader(text: string): string {
  const rows = text
    .split(/\r?\n/)
    .map((line) => line.replace(/^#HttpOnly_/, ''))
    .filter((line) => !line.startsWith('#') && line.includes('\t'))
  if (rows.length === 0) return text.trim()
  return rows
    .map((row) => row.split('\t'))
    .map((cells) => `${cells[5]}=${cells[6]}`)
    .join('; ')
}
