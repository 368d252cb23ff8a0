/*
 * What an editor shows of everything that the entries export: each name has a documentation, so has each property of an
 * exported type, and each function has an example. Slow, since TypeScript reads the built types. Needs `npm run build`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const packageRoot = fileURLToPath(new URL('../..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { import: { types: string } }>
}
const files = Object.values(exports).flatMap((target) =>
  typeof target === 'string' ? [] : [join(packageRoot, target.import.types)],
)
const program = ts.createProgram(files, {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
})
const checker = program.getTypeChecker()
const isOurs = (symbol: ts.Symbol) =>
  symbol.declarations?.some(({ parent }) =>
    parent.getSourceFile().fileName.startsWith(join(packageRoot, 'dist')),
  ) ?? false

const hasText = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0
const hasExample = (symbol: ts.Symbol) => symbol.getJsDocTags(checker).some(({ name }) => name === 'example')

/** Such as the `name` of an error, which says nothing new. */
const isInherited = (type: ts.Type, { name }: ts.Symbol) =>
  type.getBaseTypes()?.some((base) => base.getProperty(name)) ?? false

/** A declaration file has one `#private` for all such fields of a class. */
const isPrivate = ({ valueDeclaration: declared }: ts.Symbol) =>
  declared !== undefined && ts.isPropertyDeclaration(declared) && ts.isPrivateIdentifier(declared.name)

/** Names without a documentation, as `Name` or `Name.property`. */
function undocumented(file: string): string[] {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    if (!isOurs(symbol)) return []
    const missing = hasText(symbol) ? [] : [exported.name]
    const isFunction = (symbol.flags & ts.SymbolFlags.Function) !== 0
    if (isFunction && !hasExample(symbol)) missing.push(`${exported.name}: @example`)
    if (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class)) {
      const type = checker.getDeclaredTypeOfSymbol(symbol)
      for (const property of type.getProperties())
        if (isOurs(property) && !isInherited(type, property) && !isPrivate(property) && !hasText(property))
          missing.push(`${exported.name}.${property.name}`)
    }
    return missing
  })
}

it.each(files.map((file) => [file.slice(packageRoot.length), file]))('%s', (_, file) => {
  expect(undocumented(file)).toEqual([])
})
