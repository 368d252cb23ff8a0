import { YAMLException } from 'js-yaml'
import { diagnoseFile } from '../core/diagnostics/file-texts.ts'
import type { FixtureSource } from '../core/fixture/route.ts'
import { isTooDeep, reasonOf } from '../core/values/thrown.ts'
import { maxDepth, ValueError, YamlReader, type YamlNode, type YamlProblem } from './yaml-reader.ts'
import type { KeyPath } from '../core/values/values.ts'

/** Maximum characters of a YAML file. More would block the dev server for seconds. */
const maxLength = 20_000_000
/** Maximum characters of a text whose syntax error is explained: the library that explains it takes five times as long. */
const maxExplained = 2_000_000

/**
 * Reads YAML 1.2 (the core schema, with merge keys).
 *
 * js-yaml reads, and `yaml` is imported to explain an error. To read with `yaml` too would take 45 ms more processor time for
 * 40 routes (Node 24 with its compile cache; Vite starts in 360 ms), and five times as long for 100 000.
 */
export async function readYaml(text: string, file: string): Promise<FixtureSource> {
  if (text.length > maxLength)
    return { diagnostic: diagnoseFile('fixture-too-large', { file }, { limit: maxLength }) }
  const place = createLocator(text)
  try {
    const { root, hasUnusualNumber } = new YamlReader(text).read()
    return {
      value: root?.value ?? null,
      locate: (path, target) => place(findPart(root, path, target).offset),
      written: hasUnusualNumber ? (path) => findPart(root, path, 'value').node?.written : undefined,
    }
  } catch (error) {
    const tooDeep = isTooDeep(error) ? reasonOf(error) : /maxDepth/.test(String(error)) && tooDeepText
    if (tooDeep) return { diagnostic: diagnoseFile('fixture-too-complex', { file }, { reason: tooDeep }) }
    const { reason, fix, offset } = await explain(error, text)
    return { diagnostic: diagnoseFile('fixture-syntax', { file, ...place(offset) }, { reason, fix }) }
  }
}

const tooDeepText = `it nests deeper than ${maxDepth} levels`

async function explain(error: unknown, text: string): Promise<YamlProblem> {
  if (error instanceof ValueError) return error
  const problem = problemOf(error)
  if (text.length > maxExplained) return problem
  const { explainYaml } = await import('./explain-yaml.ts')
  return explainYaml(text) ?? problem
}

function problemOf(error: unknown): YamlProblem {
  if (!(error instanceof YAMLException) || !error.mark) throw error
  return { reason: `${error.reason}.`, offset: error.mark.position }
}

/** The deepest part of a path that the document has, and where it is. `node` is set if that is the whole path. */
function findPart(root: YamlNode | undefined, path: KeyPath, target: 'key' | 'value') {
  let node = root
  let offset = node?.offset ?? 0
  for (const [depth, key] of path.entries()) {
    // An entry of the map itself stands after one that is merged into it.
    const entry = node?.entries?.findLast(({ name }) => name === String(key))
    const isLast = depth === path.length - 1
    node = entry?.node ?? node?.items?.[Number(key)]
    if (!node) return { offset }
    offset = isLast && target === 'key' && entry ? entry.offset : node.offset
  }
  return { offset, node }
}

type Locator = (offset: number) => { line: number; column: number }

function createLocator(text: string): Locator {
  let starts: number[] | undefined
  return (offset) => {
    if (!starts) {
      starts = []
      for (let start = 0; start >= 0; start = text.indexOf('\n', start) + 1 || -1) starts.push(start)
    }
    let line = 0
    for (let end = starts.length; line < end - 1;) {
      const middle = (line + end) >> 1
      if (starts[middle]! <= offset) line = middle
      else end = middle
    }
    return { line: line + 1, column: offset - starts[line]! + 1 }
  }
}
