import { createApiClient } from '../../inspector/client/api-client.ts'
import { sadPathsOfStories } from './stories.ts'
import { originals } from './tap-page.ts'

interface ToolbarItem {
  value: string
  title: string
  right?: string
}

/** A menu of Storybook's toolbar, whose choice is a global value. */
export interface ToolbarMenu {
  /** Shown when the pointer is over the menu. */
  description: string
  /** The menu: its icon, and an item for each choice. */
  toolbar: { title: string; icon: string; items: ToolbarItem[]; dynamicTitle: boolean }
}

function menu(title: string, icon: string): ToolbarMenu {
  const items = [{ value: '', title: `${title}: that of the story` }]
  return { description: `${title} of the mock API`, toolbar: { title, icon, items, dynamicTitle: true } }
}

/** The menus, if the project has them. */
let menus: Record<'mockScenario' | 'mockSadPath', ToolbarMenu> | undefined

export function createMenus() {
  return (menus ??= { mockScenario: menu('Scenario', 'branch'), mockSadPath: menu('Sad path', 'alert') })
}

/** Offers the scenarios of the dev server and the sad paths of the shown stories. A published Storybook has neither. */
export async function fillMenus(): Promise<void> {
  if (!menus) return
  const api = createApiClient({ base: `${location.origin}/__mock-api/api/`, fetch: originals().fetch })
  try {
    const [{ known }, paths] = await Promise.all([api.call('GET /scenario'), sadPathsOfStories()])
    fill(
      menus.mockScenario,
      known.map(({ name }) => ({ value: name, title: name })),
    )
    fill(
      menus.mockSadPath,
      paths.map(({ id, title, request }) => ({ value: id, title, right: request })),
    )
  } catch {
    return
  }
  const { __STORYBOOK_PREVIEW__: preview } = globalThis as {
    __STORYBOOK_PREVIEW__?: { emitGlobals?: () => void }
  }
  preview?.emitGlobals?.()
}

/** In place: Storybook copies what is around the list. */
function fill({ toolbar: { items } }: ToolbarMenu, found: readonly ToolbarItem[]): void {
  const unique = new Map(found.map((item) => [item.value, item]))
  items.splice(1, items.length, ...unique.values())
}
