import mockApi from 'unplugin-mock-api/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [mockApi()] })
