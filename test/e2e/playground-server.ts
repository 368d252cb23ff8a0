import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, createServer, preview, type InlineConfig, type PreviewServer, type ViteDevServer } from 'vite'
import { vi } from 'vitest'
import { binOf, runCommand } from '../hosts/command.ts'

export interface PlaygroundServer {
  url: string
  close: () => Promise<void>
}

const root = fileURLToPath(new URL('../../playground/', import.meta.url))
const config: InlineConfig = { root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' }
// A free port, whatever PORT is.
const address = { port: 0, strictPort: false }

/** The playground in Vite's dev server, as on its first start, with no dependency optimised yet. */
export async function startDevServer(): Promise<PlaygroundServer> {
  return inTemporaryFolder('development', async (cacheDir) => {
    const server = await createServer({ ...config, cacheDir, server: address })
    return server.listen()
  })
}

/** A production build of the playground in Vite's preview server. */
export async function startPreviewServer(): Promise<PlaygroundServer> {
  return inTemporaryFolder('production', async (outDir) => {
    await build({ ...config, build: { outDir, emptyOutDir: true } })
    return preview({ ...config, build: { outDir }, preview: address })
  })
}

/** The playground in webpack-dev-server, started as `npm run dev:webpack` does. */
export async function startWebpackServer(): Promise<PlaygroundServer> {
  const webpack = binOf('webpack-cli', 'webpack-cli')
  const server = runCommand(root, webpack, 'serve', '-c', 'webpack.config.mjs', '--port', '0')
  const [, url] = await server.seen(/Loopback: (\S+)/)
  await server.seen(/compiled successfully/)
  return { url: url!, close: async () => void (await server.stop()) }
}

async function inTemporaryFolder(
  nodeEnv: string,
  start: (folder: string) => Promise<ViteDevServer | PreviewServer>,
): Promise<PlaygroundServer> {
  // Vitest sets NODE_ENV to "test", which would make Vite build something else than what users get. The dev server
  // reads it again with each dependency that it optimises, so it stays until the server closes.
  vi.stubEnv('NODE_ENV', nodeEnv)
  const folder = await mkdtemp(join(tmpdir(), 'mock-api-playground-'))
  const server = await start(folder)
  const url = server.resolvedUrls?.local[0]
  if (!url) throw new Error('Vite started, but does not say at which URL.')
  const close = async () => {
    await server.close()
    await rm(folder, { recursive: true })
    vi.unstubAllEnvs()
  }
  return { url, close }
}
