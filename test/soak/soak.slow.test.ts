import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/* The whole soak takes minutes (`npm run soak`). A short one shows that it works, and finds most of what it looks for. */
it('a short soak finds no fault in any host', async () => {
  const script = [fromRoot('node_modules/jiti/lib/jiti-cli.mjs'), fromRoot('test/soak/soak.mjs')]
  const soak = spawn(process.execPath, [...script, '--requests', '3000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void soak.kill())
  const [printed, [code]] = await Promise.all([text(soak.stdout), once(soak, 'exit') as Promise<[number]>])
  const results = printed.match(/^(?:node|vite): \d+ answers|^ok$|^FAULT.*$/gm)
  expect(results).toEqual(['node: 1500 answers', 'ok', 'vite: 1500 answers', 'ok'])
  expect(code).toBe(0)
})
