import { defineConfig } from '@rsbuild/core'
import { pluginVue } from '@rsbuild/plugin-vue'
import mockApi from 'unplugin-mock-api/rsbuild'

export default defineConfig({
  plugins: [pluginVue(), mockApi({ base: '/api' })],
  source: { entry: { index: './src/main.ts' } },
  html: { template: './index.html' },
})
