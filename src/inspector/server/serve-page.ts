import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { reasonOf } from '../../core/values/thrown.ts'
import { HttpError } from './json.ts'
import { inspectorFolder } from '../inspector-folder.ts'
import { packageFolder } from '../../files/package-folder.ts'

const schemaName = 'fixture.schema.json'

const contentTypes: Record<string, string> = {
  [schemaName]: 'application/json; charset=utf-8',
  'index.html': 'text/html; charset=utf-8',
  'inspector.js': 'text/javascript; charset=utf-8',
  'badge.js': 'text/javascript; charset=utf-8',
  'inspector.css': 'text/css; charset=utf-8',
}

const folders: Record<string, string> = { [schemaName]: '', 'badge.js': 'dist/badge' }

/** Nothing in a request can run: trusted types forbid HTML made from text. Vite DevTools may frame the page. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:', // the icon
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const headers = {
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/**
 * Returns `false` if the page has no such file. Throws an `HttpError` if it has not been built.
 *
 * @param path begins with a slash, or is empty for the page: a redirect to `/` would meet that of a host which takes slashes away
 */
export async function servePage(req: IncomingMessage, res: ServerResponse, path: string): Promise<boolean> {
  const name = path.slice(1) || 'index.html'
  const contentType = Object.hasOwn(contentTypes, name) ? contentTypes[name]! : undefined
  if (!contentType || (req.method !== 'GET' && req.method !== 'HEAD')) return false
  const file = await readFile(join(packageFolder(), folders[name] ?? 'dist/inspector', name)).catch(notBuilt)
  const bytes =
    path === ''
      ? Buffer.from(String(file).replaceAll('="inspector.', `="${inspectorFolder}/inspector.`))
      : file
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`
  for (const [header, value] of Object.entries(headers)) res.setHeader(header, value)
  res.setHeader('etag', etag)
  if (req.headers['if-none-match']?.includes(etag)) {
    res.statusCode = 304
    res.end()
    return true
  }
  res.statusCode = 200
  res.setHeader('content-type', contentType)
  res.setHeader('content-length', bytes.length)
  res.end(req.method === 'HEAD' ? undefined : bytes)
  return true
}

function notBuilt(error: unknown): never {
  throw new HttpError(500, 'page-not-built', {
    message: `The page of the inspector can't be read: ${reasonOf(error)}.`,
    fix: 'Install unplugin-mock-api again; in its repository, run "npm run build".',
  })
}
