import { inspectorFolder } from '../../inspector/inspector-folder.ts'

/** The part of Vite DevTools that is used. They are experimental, and the user may not have them: nothing is imported. */
export interface DevToolsContext {
  docks: {
    register: (dock: { id: string; title: string; icon: string; type: 'iframe'; url: string }) => unknown
  }
  viteConfig: { base: string }
}

/**
 * Docks the inspector in Vite DevTools, where the user has them.
 *
 * @see https://devtools.vite.dev/kit/
 */
export function dockInspector({ docks, viteConfig }: DevToolsContext): void {
  const url = `${viteConfig.base.replace(/\/?$/, '/')}${inspectorFolder}/`
  docks.register({ id: 'mock-api', title: 'Mock API', icon, type: 'iframe', url })
}

/** The logo of the inspector. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230b6b61'/%3E%3Cpath d='M12 9 7 16l5 7m8-14 5 7-5 7' fill='none' stroke='%23fff' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"
