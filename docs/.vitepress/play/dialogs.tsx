import { useState } from 'preact/hooks'
import { Dialog } from '../../../src/inspector/page/parts/controls.tsx'
import { AreaField, Form } from '../../../src/inspector/page/parts/fields.tsx'
import { Code } from '../../../src/inspector/page/parts/values.tsx'
import type { Imported } from './import.ts'
import type { Kept } from './link.ts'

/** The configuration file by bundler. */
const configFiles = {
  Vite: 'vite.config.ts',
  webpack: 'webpack.config.mjs',
  Rspack: 'rspack.config.mjs',
  Rsbuild: 'rsbuild.config.ts',
}

/** What a reader does at home: install, three lines of configuration, and the file. */
export function Project({ file, text, onClose }: Kept & { onClose: () => void }) {
  const [bundler, choose] = useState<keyof typeof configFiles>('Vite')
  const config = `import mockApi from 'unplugin-mock-api/${bundler.toLowerCase()}'

export default { plugins: [mockApi()] }`
  return (
    <Dialog title="Copy for your project" onClose={onClose}>
      <Code text="npm install --save-dev unplugin-mock-api" what="the command" />
      <label class="field">
        Your bundler
        <select
          value={bundler}
          onChange={({ currentTarget }) => choose(currentTarget.value as typeof bundler)}
        >
          {Object.keys(configFiles).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <h3>{configFiles[bundler]}</h3>
      <Code text={config} what={configFiles[bundler]} />
      <h3>{file}</h3>
      <Code text={text} what={file} />
    </Dialog>
  )
}

export function Import({ onClose, onText }: { onClose: () => void; onText: (text: string) => void }) {
  const [text, setText] = useState('')
  return (
    <Dialog title="Import" onClose={onClose}>
      <Form class="stack" onSubmit={() => onText(text)}>
        <AreaField
          label="A cURL command, or the text of a HAR file or of an OpenAPI document"
          rows={12}
          value={text}
          onText={setText}
        />
        <p class="row">
          <button type="submit" class="primary">
            Import
          </button>
          <span class="muted">Nothing leaves this page. Credentials are left out of fixtures.</span>
        </p>
      </Form>
    </Dialog>
  )
}

const longest = 30

/** Patterns of an OpenAPI document can take years, and only a worker can be ended. */
export async function importInWorker(text: string): Promise<Imported> {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<Imported>((resolve) => {
      const fail = (why: string) => resolve({ notes: [`It can't be imported: ${why}`] })
      worker.onmessage = ({ data }: MessageEvent<Imported>) => resolve(data)
      worker.onerror = ({ message }) => fail(message)
      setTimeout(() => fail(`it takes more than ${longest} seconds.`), longest * 1000)
      worker.postMessage(text)
    })
  } finally {
    worker.terminate()
  }
}
