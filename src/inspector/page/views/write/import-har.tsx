import { useEffect, useState } from 'preact/hooks'
import { plural } from '../../../../core/values/describe-value.ts'
import { asJson } from '../../../../core/values/json-value.ts'
import { reasonOf } from '../../../../core/values/thrown.ts'
import type { WrittenFiles } from '../../../api/api.ts'
import { call } from '../../logic/server.ts'
import { Button, Dialog, Omitted, PositionLink } from '../../parts/controls.tsx'

interface Dropped {
  name: string
  entries: unknown[]
}

/** A HAR file that is dropped anywhere on the page becomes fixture files. */
export function ImportHar() {
  const [dropped, setDropped] = useState<Dropped | string>()
  useEffect(() => {
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0]
      if (!file) return
      event.preventDefault()
      void readHar(file).then(setDropped)
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
  const close = () => setDropped(undefined)
  if (typeof dropped === 'object') return <Import key={dropped.name} dropped={dropped} onClose={close} />
  return (
    <Dialog title="Import a HAR file" onClose={close}>
      <p role="alert">{dropped}</p>
    </Dialog>
  )
}

/** A text says what is wrong with it. */
async function readHar(file: File): Promise<Dropped | string> {
  const text = await file.text().catch(() => '') // a folder has none
  const har = asJson(text)?.value as { log?: { entries?: unknown[] } } | null | undefined
  const entries = har?.log?.entries
  if (Array.isArray(entries)) return { name: file.name, entries }
  return `${file.name} is not a HAR file. Drop a file that ends in .har.`
}

function Import({ dropped: { name, entries }, onClose }: { dropped: Dropped; onClose: () => void }) {
  const [result, setResult] = useState<WrittenFiles | string>()
  const ask = (dryRun: boolean) =>
    call('POST /har', { body: { log: { entries }, dryRun } })
      .catch(reasonOf)
      .then(setResult)
  useEffect(() => void ask(true), [])
  return (
    <Dialog title={`Import ${name}`} onClose={onClose}>
      {result === undefined && <p>{`Reading ${plural(entries.length, 'request')}.`}</p>}
      {typeof result === 'string' && <p role="alert">{result}</p>}
      {typeof result === 'object' && (
        <>
          <p role="status">
            {result.files.length === 0
              ? 'The file has no API requests.'
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
