import { quote } from '../values/describe-value.ts'
import { createDiagnose, ended, type Texts } from './text.ts'

/** Bundles of fixtures: workers, and builds with the mock API. */
export const bundleTexts = {
  'option-not-data': (d: { option: string; what: string }) => ({
    message: `Option ${quote(d.option)} is ${d.what}, which can't be part of a bundle.`,
    fix: 'Use plain data: objects, lists, strings, numbers, booleans and null.',
  }),
  'worker-elsewhere': (d: { base: string }) => ({
    message: `The option "build" needs pages and worker on one origin, but the build's files are at ${quote(d.base)}.`,
    fix: 'Give the bundler a path as its base for this build, such as "/" or "./".',
  }),
  'fixture-needs-node': (d: { chain: readonly string[] }) => ({
    message: `The fixture file needs ${d.chain.at(-1)}, which this build does not have: ${d.chain.join(' → ')}.`,
    fix: 'Import data as JSON, write it into the fixture file, or name it as a "file". Or use the fixtures only where Node runs.',
  }),
  'bundler-missing': (d: { root: string }) => ({
    message: `There is no bundler in ${d.root}.`,
    fix: 'Install one there: npm install --save-dev vite. Rspack, Rsbuild and webpack are used too.',
  }),
  'bundle-failed': (d: { bundler: string; reason: string }) => ({
    message: `${d.bundler} can't bundle the fixtures: ${ended(d.reason)}`,
    fix: 'Correct the fixture file that it names, or what this file imports.',
  }),
} satisfies Texts

export const diagnoseBundle = createDiagnose(bundleTexts)
