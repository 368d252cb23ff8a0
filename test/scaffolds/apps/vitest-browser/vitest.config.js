import { playwright } from '@vitest/browser-playwright'
import mockApi from 'unplugin-mock-api/vite'
import { defineConfig } from 'vitest/config'

// The browser that this machine has, where Playwright is not to download one.
const executablePath = process.env.CHROME_PATH
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []

export default defineConfig({
  plugins: [mockApi()],
  test: {
    browser: {
      enabled: true,
      headless: true,
      provider: playwright({ launchOptions: { executablePath, args } }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
