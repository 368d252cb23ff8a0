/* No file of src/ imports itself through others, types included. The lint rule holds the rooms apart, and this their files. */
import { globSync } from 'tinyglobby'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const files = globSync('src/**/*.ts')

function importsOf(file: string): string[] {
  const code = readFileSync(file, 'utf8')
  const specifiers = [...code.matchAll(/^(?! \*).*(?:\bfrom|\bimport\()\s*'(\.[^']+)'/gm)].map(
    ([, specifier]) => specifier!,
  )
  return specifiers.map((specifier) => join(file, '..', specifier))
}

function findCircle(imports: (file: string) => string[]): string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of imports(file)) {
      const circle = visit(next, [...path, file])
      if (circle) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of files) {
    const circle = visit(file, [])
    if (circle) return circle
  }
  return undefined
}

it('there is no circle of imports', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(findCircle(importsOf)).toBeUndefined()
})

it('an import circle would be found', () => {
  const last = files.findLast((file) => importsOf(file).length > 0)!
  const back = (file: string) => [...importsOf(file), ...(importsOf(last).includes(file) ? [last] : [])]
  expect(findCircle(back)).toContain(last)
})
