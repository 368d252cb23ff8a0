import { defineConfig } from '@rsbuild/core'
import { pluginReact } from '@rsbuild/plugin-react'
import mockApi from 'unplugin-mock-api/rsbuild'

const port = process.env['PORT']

export default defineConfig({
  plugins: [pluginReact(), mockApi({ fixtures: ['templates', 'fixtures'] })],
  source: { entry: { index: './src/main.tsx' } },
  html: { template: './template.html' },
  server: { host: '127.0.0.1', ...(port ? { port: Number(port), strictPort: true } : {}) },
})
