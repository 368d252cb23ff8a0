import { defineConfig } from '@playwright/test'

const port = process.env['PORT'] ?? '5173'
const baseURL = `http://localhost:${port}`

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  use: {
    baseURL,
    // Without CHROME_PATH, the browser that `npx playwright install chromium` has downloaded.
    launchOptions: { executablePath: process.env['CHROME_PATH'] },
  },
  webServer: { command: `npx vite --port ${port} --strictPort`, url: baseURL },
})
