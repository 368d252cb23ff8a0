import { useEffect, useState } from 'preact/hooks'
import { plural } from '../../../../core/values/describe-value.ts'
import { reasonOf } from '../../../../core/values/thrown.ts'
import type { WrittenFiles } from '../../../api.ts'
import { call } from '../../logic/server.ts'
import { Dialog, Omitted, PositionLink } from '../../parts/controls.tsx'

interface Dropped {
  name: string
  entries: unknown[]
}

/** A HAR file that is dropped anywhere on the page becomes fixture files. */
export function ImportHar() {
  const [dropped, setDropped] = useState<Dropped>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const drop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0]
      if (!file) return
      event.preventDefault()
      readHar(file).then(setDropped, (error: unknown) => setProblem(reasonOf(error)))
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
  const close = () => {
    setDropped(undefined)
    setProblem(undefined)
  }
  if (problem !== undefined)
    return (
      <Dialog title="Import a HAR file" onClose={close}>
        <p role="alert">{problem}</p>
      </Dialog>
    )
  return dropped ? <Import key={dropped.name} dropped={dropped} onClose={close} /> : null
}

async function readHar(file: File): Promise<Dropped> {
  const har = (await file
    .text()
    .then(JSON.parse)
    .catch(() => undefined)) as { log?: { entries?: unknown[] } } | undefined
  const entries = har?.log?.entries
  if (!Array.isArray(entries))
    throw new Error(`${file.name} is not a HAR file. Drop a file that ends in .har.`)
  return { name: file.name, entries }
}

function Import({ dropped: { name, entries }, onClose }: { dropped: Dropped; onClose: () => void }) {
  const [result, setResult] = useState<WrittenFiles | string>()
  const ask = (dryRun: boolean) =>
    call('POST /har', { body: { log: { entries }, dryRun } }).then(setResult, (error: unknown) =>
      setResult(reasonOf(error)),
    )
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
              <button type="button" class="primary" onClick={() => void ask(false)}>
                {`Write ${plural(result.files.length, 'file')}`}
              </button>
              <span class="muted">Existing files are never overwritten.</span>
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}
