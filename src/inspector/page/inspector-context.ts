import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { OpenFile, Overrides, RecordSwitch, RequestDetails } from '../api.ts'
import type { Place } from './logic/place.ts'
import type { ServerState } from './logic/state.ts'
import type { TriedRequest } from './logic/try-request.ts'

/** What every part of the page can read and do. */
export interface Inspector {
  server: ServerState
  place: Place
  /** Changes where the user is. */
  go: (change: Partial<Place>) => void
  /** Shows a short message, which a screen reader also reads. */
  say: (message: string) => void
  copy: (text: string, what: string) => void
  openInEditor: (file: OpenFile) => void
  setScenario: (names: string[]) => void
  setOverrides: (overrides: Overrides) => void
  setRecord: (record: RecordSwitch) => void
  reset: () => void
  pause: () => void
  clear: () => void
  sendAgain: (request: RequestDetails) => void
  /** Opens the form with a request. */
  edit: (request: TriedRequest) => void
  /** Sends a request as a page of the application would, and selects it in the list. */
  send: (request: TriedRequest, headers: Record<string, string>) => void
}

export const InspectorContext = createContext<Inspector | undefined>(undefined)

export function useInspector(): Inspector {
  const inspector = useContext(InspectorContext)
  if (!inspector) throw new Error('useInspector is called outside of InspectorContext.')
  return inspector
}
