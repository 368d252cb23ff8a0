/* What the examples use of programs that are not installed here: each has more, and downloads more. */

declare module 'vite-plugin-pwa' {
  export function VitePWA(options: {
    workbox: { importScripts: string[]; globIgnores: string[] }
  }): import('vite').Plugin
}

/** Cypress has its own globals. */
declare const Cypress: { config(key: 'baseUrl'): string | null }
declare const cy: {
  then(command: () => Promise<unknown>): void
  visit(path: string): void
  contains(text: string): void
  contains(selector: string, text: string): { click(): void }
}
declare function beforeEach(run: () => void): void
declare function it(name: string, run: () => void): void
