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
  type On = (event: 'task', tasks: object) => void
  export function defineConfig(config: {
    e2e: {
      baseUrl: string
      supportFile: boolean
      setupNodeEvents?: (on: On, config: { baseUrl: string | null }) => void
    }
  }): object
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
declare namespace Cypress {
  interface Chainable<Subject = any> {
    visit(path: string): Chainable
    contains(text: string): Chainable
    contains(selector: string, text: string): Chainable
    click(): Chainable<Subject>
    its(path: string): Chainable
    should(chainer: string, value: unknown): Chainable<Subject>
  }
}
declare const cy: Cypress.Chainable

declare module '@wdio/globals' {
  export const browser: { options: { baseUrl?: string }; url(path: string): Promise<void> }
  export const $: (selector: string) => { click(): Promise<void> }
  export const expect: {
    (element: object): { toHaveText(text: unknown): Promise<void> }
    stringContaining(text: string): unknown
  }
}

declare module 'storybook/test' {
  export const expect: typeof import('vitest').expect
}

declare module '@storybook/react-vite' {
  type Context = import('unplugin-mock-api/storybook').StoryContext & {
    canvas: { findByText(text: string): Promise<Element> }
    userEvent: { click(element: Element): Promise<void> }
  }
  export interface StoryObj {
    play: (context: Context) => Promise<void>
  }
}

declare module '@storybook/addon-vitest/vitest-plugin' {
  export function storybookTest(options: { configDir: string }): import('vite').Plugin
}

declare function beforeEach(run: () => unknown): void
declare function it(name: string, run: () => unknown): void
declare function expect(value: unknown): { toBe(value: unknown): void; toHaveLength(length: number): void }

declare module '@nestjs/axios' {
  export const HttpModule: { register(options: { baseURL: string }): object }
}

declare module '@nestjs/common' {
  export function Module(options: { imports: object[] }): ClassDecorator
}
