import { useEffect, type RefObject } from 'react'

/** Calls `onReached` when `end` scrolls into the view of `scroller`. Without `onReached` it does not watch. */
export function useReachedEnd(
  scroller: RefObject<HTMLElement | null>,
  end: RefObject<HTMLElement | null>,
  onReached: (() => void) | undefined,
) {
  useEffect(() => {
    if (!onReached || !end.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onReached()
      },
      { root: scroller.current },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [scroller, end, onReached])
}
