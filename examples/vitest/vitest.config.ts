import mockApi from 'unplugin-mock-api/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [mockApi()],
  test: { setupFiles: ['unplugin-mock-api/vitest'] },
})
