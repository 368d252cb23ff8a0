import { useState } from 'preact/hooks'
import type { RequestDetails } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { asCurl, asFetch, isSocket, toTry } from '../logic/send.ts'
import { call } from '../logic/server.ts'
import { Action } from '../parts/controls.tsx'
import { WriteFixture } from './write/fix.tsx'

export function RequestActions({ request }: { request: RequestDetails }) {
  const { copy, run, sendAgain, edit } = useInspector()
  const [isWriting, setWriting] = useState(false)
  const canSend = !isSocket(request)
  const copyFixture = () =>
    run(call('POST /edit', { body: { request: request.id } }), ({ text }) => copy(text, 'the fixture'))
  return (
    <div class="actions row" role="group" aria-label="Actions">
      <Action icon="write" onClick={() => setWriting(true)}>
        Write a fixture
      </Action>
      {canSend && (
        <>
          <Action icon="again" onClick={() => sendAgain(request)}>
            Send again
          </Action>
          <Action icon="edit" onClick={() => edit(toTry(request))}>
            Edit and send
          </Action>
        </>
      )}
      <span class="links line" role="group" aria-label="Copy as">
        <span class="muted">Copy as</span>
        {canSend && (
          <>
            <Action onClick={() => copy(asCurl(request, location.origin), 'as cURL')}>cURL</Action>
            <Action onClick={() => copy(asFetch(request), 'as fetch')}>fetch</Action>
          </>
        )}
        <Action onClick={() => void copyFixture()}>fixture</Action>
      </span>
      {isWriting && <WriteFixture request={request} onClose={() => setWriting(false)} />}
    </div>
  )
}
