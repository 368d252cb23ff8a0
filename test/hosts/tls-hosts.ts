import { createServer } from 'vite'
import { ownCertificate } from './certificate.ts'
import type { Host } from './hosts.ts'
import { createTestRsbuild, rsbuildConfig, runningRsbuild } from './rsbuild-hosts.ts'
import { originOf, viteConfig } from './vite-hosts.ts'
import { proxyOf, quickServer, startDevServer, version6, webpackConfig } from './webpack-hosts.ts'
import { mockApi } from '../../src/webpack.ts'

/* Dev servers with `https`. Most of them speak HTTP/2 then, and HTTP/1.1 to clients that ask for it. */

const secure = (origin: string) => origin.replace('http:', 'https:')
const common = { hasHtmlFallback: true, hasBase: true }

export interface TlsHost extends Host {
  speaksHttp2: boolean
}

export const tlsHosts: TlsHost[] = [
  {
    ...common,
    name: 'Vite 8 dev over HTTPS',
    speaksHttp2: true,
    async start(project, start) {
      const { config, log } = viteConfig(project, start)
      const server = await createServer({
        ...config,
        server: { ...config.server, https: await ownCertificate() },
      })
      await server.listen()
      return { origin: secure(originOf(server)), log, close: () => server.close() }
    },
  },
  {
    ...common,
    name: 'webpack-dev-server 6 over HTTPS',
    speaksHttp2: false,
    async start(project, { options, upstream, sockets, hostBase } = {}) {
      const log: string[] = []
      const proxy = proxyOf({ upstream, sockets })
      const serverOptions = quickServer({ proxy, server: { type: 'https', options: await ownCertificate() } })
      const config = { ...webpackConfig(project, log), plugins: [mockApi(options)] }
      if (hostBase !== undefined) config.output = { ...config.output, publicPath: hostBase }
      const running = await startDevServer(version6.DevServer, config, serverOptions)
      return { ...running, origin: secure(running.origin), log }
    },
  },
  {
    ...common,
    name: 'Rsbuild dev over HTTPS',
    speaksHttp2: true,
    async start(project, start) {
      const log: string[] = []
      const config = rsbuildConfig(log, start)
      const https = await ownCertificate()
      const rsbuild = await createTestRsbuild(project, 'development', {
        ...config,
        server: { ...config.server, https },
      })
      const running = runningRsbuild(await rsbuild.startDevServer(), log)
      return { ...running, origin: secure(running.origin) }
    },
  },
]
