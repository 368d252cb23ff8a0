'use client'

import { useEffect, useState } from 'react'

interface Departure {
  id: string
  destination: string
  time: string
  platform: number
}

interface DeparturePage {
  next_cursor: string | null
  data: Departure[]
}

/** A list that grows by a page with each click. One train is full. */
export function Departures() {
  const [departures, setDepartures] = useState<Departure[]>([])
  const [cursor, setCursor] = useState<string | null>()
  const [message, setMessage] = useState<{ text: string; failed: boolean }>()

  async function load(after?: string) {
    try {
      const page = await getPage(after)
      setDepartures((earlier) => (after ? [...earlier, ...page.data] : page.data))
      setCursor(page.next_cursor)
    } catch (error) {
      setMessage({ text: (error as Error).message, failed: true })
    }
  }

  async function reserve(id: string) {
    const response = await fetch(`/api/departures/${id}/seats`, { method: 'POST' })
    const body = (await response.json()) as { message: string }
    setMessage({ text: body.message, failed: !response.ok })
  }

  useEffect(() => void load(), [])

  return (
    <section aria-label="Departures">
      {message && <p role={message.failed ? 'alert' : 'status'}>{message.text}</p>}
      <ul className="rows">
        {departures.map(({ id, destination, time, platform }) => (
          <li key={id}>
            <strong>
              {time} {destination}
            </strong>
            <span>
              {id}, platform {platform}
            </span>
            <button onClick={() => void reserve(id)}>Reserve a seat in {id}</button>
          </li>
        ))}
      </ul>
      {cursor && <button onClick={() => void load(cursor)}>Load more</button>}
      {cursor === null && <p className="quiet">That is all: {departures.length} trains.</p>}
    </section>
  )
}

async function getPage(cursor?: string): Promise<DeparturePage> {
  const query = new URLSearchParams({ limit: '3', ...(cursor && { cursor }) })
  const response = await fetch(`/api/departures?${query}`)
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return (await response.json()) as DeparturePage
}
