import { useEffect, useState } from 'preact/hooks'
import { plural } from '../../../../core/values/describe-value.ts'
import { reasonOf } from '../../../../core/values/thrown.ts'
import type { WrittenFiles } from '../../../api/api.ts'
import { call } from '../../logic/server.ts'
import { Button, Dialog, Omitted, PositionLink } from '../../parts/controls.tsx'

interface Dropped {
  name: string
  text: string
}

/** A file that is dropped anywhere on the page becomes fixture files. */
export function ImportFile() {
  const [dropped, setDropped] = useState<Dropped>()
  useEffect(() => {
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0]
      if (!file) return
      event.preventDefault()
      void file.text().then((text) => setDropped({ name: file.name, text }), ignoreFolder)
    }
    const allow = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    addEventListener('drop', drop)
    addEventListener('dragover', allow)
    return () => {
      removeEventListener('drop', drop)
      removeEventListener('dragover', allow)
    }
  }, [])
  if (dropped === undefined) return null
  return <Import key={dropped.name} dropped={dropped} onClose={() => setDropped(undefined)} />
}

/** A folder has no text. */
function ignoreFolder(): void {}

function Import({ dropped: { name, text }, onClose }: { dropped: Dropped; onClose: () => void }) {
  const [result, setResult] = useState<WrittenFiles | string>()
  const ask = (dryRun: boolean) =>
    call('POST /import', { body: { name, text, dryRun } }).catch(reasonOf).then(setResult)
  useEffect(() => void ask(true), [])
  return (
    <Dialog title={`Import ${name}`} onClose={onClose}>
      {result === undefined && <p>Reading.</p>}
      {typeof result === 'string' && <p role="alert">{result}</p>}
      {typeof result === 'object' && (
        <>
          <p role="status">
            {`It is ${result.kind}. `}
            {result.files.length === 0
              ? 'It has nothing that can be a route.'
              : result.isWritten
                ? 'Written. These routes answer:'
                : 'These files would be written:'}
          </p>
          <ul class="stack tight">
            {result.files.map(({ file, routes }) => (
              <li key={file} class="row">
                {result.isWritten ? <PositionLink position={{ file, line: 1 }} /> : <code>{file}</code>}
                <span class="muted">{plural(routes, 'route')}</span>
              </li>
            ))}
          </ul>
          <Omitted omitted={result.omitted} />
          {!result.isWritten && result.files.length > 0 && (
            <p class="row">
              <Button class="primary" onClick={() => void ask(false)}>
                {`Write ${plural(result.files.length, 'file')}`}
              </Button>
              <span class="muted">Existing files are never overwritten.</span>
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}
