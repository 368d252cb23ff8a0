import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { startApiServer } from '../../inspector/server/api-server.ts'
import { domPages } from './dom-pages.ts'
import { otherPages } from './other-pages.ts'
import { fixture, type TruthPage } from './page.ts'
import { reactPages } from './react-pages.ts'
import { vuePages } from './vue-pages.ts'

export const truthPages = [...domPages, ...reactPages, ...vuePages, ...otherPages]

const react = `import React from 'react'; export { React }; export { createRoot } from 'react-dom/client'`
const bundles: Record<NonNullable<TruthPage['uses']>, string> = {
  react: `${react}; export { QueryClient, QueryClientProvider, useQuery, useSuspenseQuery } from '@tanstack/react-query'`,
  apollo: `${react}; export { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client'; export { ApolloProvider, useQuery } from '@apollo/client/react'`,
  vue: `import * as Vue from 'vue/dist/vue.esm-bundler.js'; export { Vue }`,
}
const names: typeof bundles = {
  react: 'React, createRoot, QueryClient, QueryClientProvider, useQuery, useSuspenseQuery',
  apollo: 'React, createRoot, ApolloClient, HttpLink, InMemoryCache, gql, ApolloProvider, useQuery',
  vue: 'Vue',
}

/** As a dev server has them: the development builds, which say more about what goes wrong. */
async function bundle(code: string): Promise<string> {
  const entry = '\0entry'
  const built = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['es'], fileName: 'lib' },
      rolldownOptions: { input: entry },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  if (!output || !('output' in output)) throw new Error('The bundle is not there.')
  return output.output[0].code
}

function htmlOf({ name, uses, body = '', style = '', script }: TruthPage): string {
  const imports = uses === undefined ? '' : `import { ${names[uses]} } from '/${uses}.js'`
  return `<!doctype html><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,"><style>${style}</style>
<body>${body}<script type="module">${imports}
${script}</script></body>`
}

/** A server with all pages, by the number of each: `/0`. */
export async function serveTruthPages(used = Object.keys(bundles) as (keyof typeof bundles)[]) {
  const served = new Map<string, [type: string, content: string]>()
  const add = (path: string, type: string, content: string) => served.set(path, [type, content])
  for (const name of used) add(`/${name}.js`, 'text/javascript', await bundle(bundles[name]))
  for (const [index, page] of truthPages.entries()) add(`/${index}`, 'text/html; charset=utf-8', htmlOf(page))
  const html = (text: string) => `<!doctype html><link rel="icon" href="data:,"><title>Shop</title>${text}`
  add(
    '/login.html',
    'text/html',
    html('<h1>Log in</h1><form><label>Password <input type="password"></label></form>'),
  )
  add('/error.html', 'text/html', html('<h1>This did not work</h1><p>Please come back later.</p>'))
  add(
    '/home.html',
    'text/html',
    html('<h1>Fruit and more</h1><p>Welcome to the shop. What would you like today?</p>'),
  )
  return startApiServer({ 'fixtures/a.yaml': fixture }, {}, ({ url = '' }, res) => {
    const [type, content] = served.get(url) ?? ['text/plain', 'Not here']
    res.writeHead(served.has(url) ? 200 : 404, { 'content-type': type }).end(content)
  })
}
