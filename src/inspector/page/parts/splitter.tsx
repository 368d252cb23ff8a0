import { useEffect, useRef, useState } from 'preact/hooks'
import { stored, store } from '../logic/stored.ts'

/** Percent of the width that the list has. */
const [least, usual, most] = [20, 40, 80]

/** The line between list and details: dragged, or moved with the arrow keys. A double click resets it. */
export function Splitter() {
  const bar = useRef<HTMLDivElement>(null)
  const [share, setShare] = useState(() => Number(stored('split') ?? usual))
  const move = (wanted: number) => {
    const next = Math.round(Math.min(most, Math.max(least, wanted)))
    setShare(next)
    store('split', String(next))
  }
  useEffect(() => bar.current!.parentElement!.style.setProperty('--side', `${share}%`), [share])
  return (
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the list"
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={share}
      tabIndex={0}
      ref={bar}
      onDblClick={() => move(usual)}
      onKeyDown={({ key }) => {
        const step = { ArrowLeft: -2, ArrowRight: 2 }[key]
        if (step) move(share + step)
      }}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const { left, width } = event.currentTarget.parentElement!.getBoundingClientRect()
        move((100 * (event.clientX - left)) / width)
      }}
    />
  )
}
