/* What the examples use of programs that are not installed here: each has more, and downloads more. */

declare module 'vite-plugin-pwa' {
  export function VitePWA(options: {
    workbox: { importScripts: string[]; globIgnores: string[] }
  }): import('vite').Plugin
}

declare module '@sveltejs/kit/vite' {
  export function sveltekit(): import('vite').PluginOption
}

declare module 'astro/config' {
  export function defineConfig(config: { vite: { plugins: import('vite').PluginOption[] } }): object
}

declare module '@vitest/browser-playwright' {
  export function playwright(): import('vitest/node').BrowserProviderOption
}

declare module 'cypress' {
  export function defineConfig(config: { e2e: { baseUrl: string; supportFile: boolean } }): object
}

declare module '@tanstack/react-start/server-entry' {
  const handler: { fetch(request: Request): Promise<Response> }
  export default handler
}

declare const Astro: { url: URL }
/** Nuxt imports these by itself. */
declare function defineNuxtConfig(config: { vite: { plugins: import('vite').PluginOption[] } }): object
declare function useFetch(path: string, options: { baseURL: string }): Promise<{ data: unknown }>
declare function useRequestURL(): URL
interface ImportMeta {
  dev: boolean
}
interface Nitro {
  hooks: { hook(name: 'request' | 'close', run: () => Promise<unknown>): void }
}
declare function defineNitroPlugin(plugin: (nitro: Nitro) => void): object

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
declare function expect(value: unknown): { toBe(value: unknown): void; toHaveLength(length: number): void }

declare module '@nestjs/axios' {
  export const HttpModule: { register(options: { baseURL: string }): object }
}

declare module '@nestjs/common' {
  export function Module(options: { imports: object[] }): ClassDecorator
}
