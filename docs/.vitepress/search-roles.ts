const selected = `:aria-selected="selectedIndex === index ? 'true' : 'false'"`

/** What VitePress 1.6 has, and what assistive technology needs. */
const edits: [before: string, after: string][] = [
  ['role="button"', 'role="dialog" aria-modal="true"'],
  [`:aria-owns="results?.length ? 'localsearch-list' : undefined"`, ''],
  ['aria-expanded="true"', ''],
  ['aria-haspopup="listbox"', ''],
  [selected, ''],
  ['role="option"', 'role="presentation"'],
  [`:id="'localsearch-item-' + index"`, ''],
  [
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `:id="'localsearch-item-' + index" role="option" ${selected}`,
  ],
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
]

/**
 * A Vite plugin that corrects the roles of VitePress's search box: a dialog with a list of options. By default it is a button
 * with links and fields inside, and each option has a link inside, neither of which screen readers can announce.
 */
export const searchRoles = {
  name: 'search-roles',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined
    let text = code
    for (const [before, after] of edits) {
      if (!text.includes(before))
        throw new Error(`VitePress's search box no longer has ${before}. Read search-roles.ts.`)
      text = text.replaceAll(before, after)
    }
    return text
  },
}
