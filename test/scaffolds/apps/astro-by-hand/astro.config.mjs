import { defineConfig } from 'astro/config'
import mockApi from 'unplugin-mock-api/vite'

export default defineConfig({ vite: { plugins: [mockApi()] } })
