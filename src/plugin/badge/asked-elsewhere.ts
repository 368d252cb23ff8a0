import { channelName, type AskedElsewhere, type ToPages } from '../../inspector/asked-elsewhere.ts'

const ofScripts = /^(?:fetch|xmlhttprequest|beacon)$/

/** Tells an open inspector to which other origins the page sends requests. It patches nothing, and asks no server. */
export function tellElsewhere(): (entry: PerformanceResourceTiming) => void {
  const channel = new BroadcastChannel(channelName)
  const page = Math.random()
  const asked = new Map<string, number>()
  const tell = (all: AskedElsewhere['asked'] = [...asked]) => channel.postMessage({ page, asked: all })
  channel.onmessage = ({ data }: MessageEvent<ToPages>) => {
    if ('tell' in data) tell()
    if ('reload' in data && asked.has(data.reload)) location.reload()
  }
  addEventListener('pagehide', () => tell([]))
  addEventListener('pageshow', ({ persisted }) => persisted && tell())
  return ({ name, initiatorType }) => {
    const { origin, protocol } = new URL(name)
    if (!ofScripts.test(initiatorType) || origin === location.origin || !protocol.startsWith('http')) return
    asked.set(origin, (asked.get(origin) ?? 0) + 1)
    tell()
  }
}
