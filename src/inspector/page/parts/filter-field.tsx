import { useInspector } from '../inspector-context.ts'

export const filterId = 'filter'

export function FilterField({ label }: { label: string }) {
  const { place, go } = useInspector()
  return (
    <input
      id={filterId}
      type="search"
      class="filter"
      placeholder="Filter: checkout -200"
      aria-label={label}
      aria-keyshortcuts="/"
      value={place.filter}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => go({ filter: event.currentTarget.value })}
    />
  )
}
