import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Route } from '../../../src/core/fixture/route.ts'
import { attempt } from '../../../src/core/values/thrown.ts'
import type { OpenFile } from '../../../src/inspector/api/api.ts'
import { InspectorContext } from '../../../src/inspector/page/inspector.ts'
import type { JsonSchema } from '../../../src/inspector/page/logic/editing/complete.ts'
import { emptyTry, type TriedRequest } from '../../../src/inspector/page/logic/send.ts'
import { Action } from '../../../src/inspector/page/parts/controls.tsx'
import { Form } from '../../../src/inspector/page/parts/fields.tsx'
import inspectorStyles from '../../../src/inspector/page/styles/inspector.css?inline'
import { usePlay } from './inspect.ts'
import { checked, isJson, readHash, writeHash, type Kept } from './link.ts'
import { Answer, Bar, type Later, Presets, Problems, sameRequest, State } from './parts.tsx'
import playStyles from './play.css?inline'
import { data as prepared } from './prepared.data.ts'
import { homeExample, startingPoints, type StartingPoint } from './starting-points.ts'

/** Milliseconds without a key before what was typed is read. */
const pause = 250
/** The only thing that is stored, and in this browser alone. */
const draftKey = 'mock-api-play'

/** Draws the page, or a small example, in the place of what an element contains. @returns what removes it */
export function mount(element: HTMLElement): () => void {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  const isSmall = element.hasAttribute('small')
  const draw = (kept: Kept) =>
    render(
      <>
        <style>{inspectorStyles + playStyles}</style>
        <Play start={kept} isSmall={isSmall} />
      </>,
      shadow,
    )
  const open = () => void whatToOpen().then(draw)
  if (isSmall) draw(homeExample)
  else {
    open()
    addEventListener('hashchange', open) // a link that is opened in the same tab
  }
  return () => {
    removeEventListener('hashchange', open)
    render(null, shadow)
  }
}

async function whatToOpen(): Promise<Kept> {
  const named = startingPoints.find(({ id }) => `#${id}` === location.hash)
  const readDraft = () => checked(JSON.parse(localStorage.getItem(draftKey)!))
  return named ?? (await readHash(location.hash)) ?? attempt(readDraft) ?? startingPoints[0]!
}

function Play({ start, isSmall }: { start: Kept; isSmall: boolean }) {
  const [kept, setKept] = useState(start)
  const [request, setRequest] = useState<TriedRequest>(start.requests[0] ?? emptyTry)
  const [caret, setCaret] = useState<number>()
  const [notes, setNotes] = useState<string[]>([])
  const [dialog, setDialog] = useState<'copy' | 'import'>()
  const [link, setLink] = useState<string>()
  /** A text that is typed or applied is read a moment later; one that is opened, at once. */
  const isTyped = useRef(false)
  const { file, text, requests } = kept
  const setText = (next: string) => {
    isTyped.current = true
    setKept((before) => ({ ...before, text: next }))
  }
  const showPlace = ({ line = 1, column = 1 }: OpenFile) => {
    const before = text
      .split('\n')
      .slice(0, line - 1)
      .join('\n')
    setCaret(before.length + (line > 1 ? 1 : 0) + column - 1)
  }
  const first = prepared.answers[(start as Partial<StartingPoint>).id ?? '']
  const play = usePlay({ first, setText, showPlace })
  const { server, shown, details, inspector } = play
  /** With a first answer, the server and the editor are for who reaches for them. */
  const [isUsed, use] = useState(first === undefined)
  const later = useLater(
    server !== undefined && (details !== undefined || shown.diagnostics.length > 0 || requests.length === 0),
  )
  const chosen = useRef(request)
  chosen.current = request

  const open = (next: Kept) => {
    use(true)
    isTyped.current = false
    play.reset()
    setNotes([])
    setCaret(undefined)
    setKept(next)
    setRequest(next.requests[0] ?? emptyTry)
  }
  useEffect(() => {
    if (start !== kept) open(start)
  }, [start])
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      const known = [...startingPoints, homeExample].find((one) => one.text === text && one.file === file)
      const { store } = await play.load(kept, known && prepared.read[known.id])
      await new Promise((resolve) => setTimeout(resolve)) // the browser draws
      if (!isCurrent) return
      if (requests.length === 0) return void offerRequests(store.current.routes)
      // An answer follows the text as it is typed, unless the request changes something.
      if (!isTyped.current || request.method === 'GET') void play.send(chosen.current)
    }
    const offerRequests = async (routes: readonly Route[]) => {
      const { exampleRequests } = await import('./example-requests.ts')
      const made = exampleRequests(routes)
      if (!isCurrent || made.length === 0) return
      setKept({ ...kept, requests: made })
      setRequest(made[0]!)
    }
    const timer = setTimeout(() => isUsed && void read(), isTyped.current ? pause : 0)
    void writeHash(kept).then((hash) => {
      if (!isCurrent) return
      setLink(`${import.meta.env.BASE_URL}play.html${hash}`)
      if (!isTyped.current || isSmall) return
      history.replaceState(history.state, '', hash)
      attempt(() => localStorage.setItem(draftKey, JSON.stringify(kept)))
    })
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [kept, isUsed])

  const copyLink = async () => {
    const used = requests.some((one) => sameRequest(one, request))
    const all = used ? requests : [{ ...request, name: 'My request' }, ...requests]
    const hash = await writeHash({ ...kept, requests: all })
    history.replaceState(history.state, '', hash)
    play.copy(location.href, 'the link')
  }
  const convert = async () => {
    const { otherFormat } = await import('./other-format.ts')
    const next = await otherFormat(kept)
    if (next) open(next)
  }
  const imported = async (pasted: string) => {
    const made = await later!.importInWorker(pasted)
    setDialog(undefined)
    if ('text' in made) open({ file: 'fixtures/imported.yaml', text: made.text, requests: [] })
    if ('request' in made) {
      setRequest(made.request)
      void play.send(made.request)
    }
    setNotes(made.notes)
  }
  const { about } = kept as Partial<StartingPoint>
  const lines = text.trimEnd().split('\n').length
  const rows = isSmall ? lines : Math.max(12, Math.min(28, lines + 2))
  return (
    <InspectorContext.Provider value={inspector}>
      {/* The page around it has keys of its own, such as "/" for its search. */}
      <div
        class={isSmall ? 'play small' : 'play'}
        onKeyDown={(event) => event.key === '/' && event.stopPropagation()}
        onPointerEnter={() => use(true)}
        onFocusIn={() => use(true)}
      >
        {!isSmall && <Bar kept={kept} open={open} copyLink={() => void copyLink()} setDialog={setDialog} />}
        {about && !isSmall && <p class="about">{about}</p>}
        <div class="halves">
          <section class="stack" aria-label="Fixture file">
            <p class="row">
              <span class="mono muted grow">{file}</span>
              {isSmall && link && <a href={link}>Open it in full</a>}
              {!isSmall && (
                <Action label={isJson(file) ? 'As YAML' : 'As JSON'} onClick={() => void convert()} />
              )}
            </p>
            {later ? (
              <later.FixtureArea
                key={`${file} ${caret}`}
                {...{ file, text, rows }}
                schema={later.schema as JsonSchema}
                {...(caret !== undefined && { caret })}
                onInput={setText}
              />
            ) : (
              <div class="editor stack tight">
                <textarea
                  {...{ rows }}
                  class="mono"
                  aria-label={file}
                  value={text}
                  wrap="off"
                  readOnly
                  // The editor that takes its place has the focus, too, at the same character.
                  onFocus={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
                  onClick={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
                />
              </div>
            )}
            <Problems {...shown} />
          </section>
          <section class="stack" aria-label="Request and answer">
            <Presets
              requests={requests}
              request={request}
              choose={(one) => (setRequest(one), void play.send(one))}
            />
            {!isSmall && (
              <Form class="try stack" onSubmit={() => void play.send(request)}>
                {/* Its fields are rarely needed, and the answer stays in sight. */}
                <details open={requests.length === 0}>
                  <summary>
                    <code>{`${request.method} ${request.url}`}</code>{' '}
                    <span class="muted">Edit the request</span>
                  </summary>
                  <div class="stack fields">
                    {later && (
                      <later.RequestFields
                        request={request}
                        set={(changed) => setRequest({ ...request, ...changed })}
                      />
                    )}
                  </div>
                </details>
                <p class="row">
                  <button type="submit" class="primary">
                    Send
                  </button>
                  <State {...play} />
                </p>
              </Form>
            )}
            {notes.length > 0 && (
              <div class="notice edged">
                {notes.map((note) => (
                  <p key={note}>{note}</p>
                ))}
              </div>
            )}
            <p class={play.message === '' ? 'visually-hidden' : 'muted'} role="status">
              {play.message}
            </p>
            {details && <Answer {...{ details, isSmall, later }} stop={play.stop} />}
          </section>
        </div>
        {later && dialog === 'copy' && <later.Project {...kept} onClose={() => setDialog(undefined)} />}
        {later && dialog === 'import' && (
          <later.Import onClose={() => setDialog(undefined)} onText={(pasted) => void imported(pasted)} />
        )}
      </div>
    </InspectorContext.Provider>
  )
}

/** The editor and the rest, once the first answer is there. */
function useLater(isTime: boolean): Later | undefined {
  const [later, setLater] = useState<Later>()
  useEffect(() => {
    if (isTime) void import('./later.ts').then(setLater)
  }, [isTime])
  return later
}
