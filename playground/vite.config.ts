import react from '@vitejs/plugin-react'
import mockApi from 'unplugin-mock-api/vite'
import { defineConfig } from 'vite'

const address = {
  host: '127.0.0.1',
  ...(process.env['PORT'] ? { port: Number(process.env['PORT']), strictPort: true } : {}),
}

export default defineConfig({
  plugins: [react(), mockApi({ fixtures: ['templates', 'fixtures'] })],
  server: address,
  preview: address,
})
