import { useState } from 'preact/hooks'
import type { RequestDetails } from '../../api.ts'
import { useInspector } from '../inspector-context.ts'
import { call, reasonOf } from '../logic/api-client.ts'
import { asCurl, asFetch } from '../logic/copy-as.ts'
import { toTry } from '../logic/try-request.ts'
import { Action } from '../parts/buttons.tsx'
import { WriteFixture } from './write-fixture.tsx'

/** What can be done with a request. */
export function RequestActions({ request }: { request: RequestDetails }) {
  const { copy, say, sendAgain, edit } = useInspector()
  const [isWriting, setWriting] = useState(false)
  const copyFixture = () =>
    call('POST /fixture', { body: { request: request.id, dryRun: true } }).then(
      ({ yaml }) => copy(yaml, 'the fixture'),
      (failed: unknown) => say(reasonOf(failed)),
    )
  return (
    <div class="actions row" role="group" aria-label="Actions">
      <Action icon="write" onClick={() => setWriting(true)}>
        Write a fixture
      </Action>
      <Action icon="again" onClick={() => sendAgain(request)}>
        Send again
      </Action>
      <Action icon="edit" onClick={() => edit(toTry(request))}>
        Edit and send
      </Action>
      <span class="group line" role="group" aria-label="Copy as">
        <span class="label muted">Copy as</span>
        <button
          type="button"
          class="action line"
          onClick={() => copy(asCurl(request, location.origin), 'as cURL')}
        >
          cURL
        </button>
        <button type="button" class="action line" onClick={() => copy(asFetch(request), 'as fetch')}>
          fetch
        </button>
        <button type="button" class="action line" onClick={() => void copyFixture()}>
          fixture
        </button>
      </span>
      {isWriting && <WriteFixture request={request} onClose={() => setWriting(false)} />}
    </div>
  )
}
