import { ended, type Texts } from './text.ts'

/** Bundles of fixtures: workers, and builds with the mock API. */
export const bundleTexts = {
  'bundler-missing': (d: { root: string }) => ({
    message: `There is no bundler in ${d.root}.`,
    fix: 'Install one there: npm install --save-dev vite. Rspack, Rsbuild and webpack are used too.',
  }),
  'bundle-failed': (d: { bundler: string; reason: string }) => ({
    message: `${d.bundler} can't bundle the fixtures: ${ended(d.reason)}`,
    fix: 'Correct the fixture file that it names, or what this file imports.',
  }),
} satisfies Texts
