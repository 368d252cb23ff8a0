/** The names that modules of the application can import and read beside files and packages, by the host's resolved config. */
export interface ModuleWorld {
  /** Where the aliases are, for messages: `vite.config.ts`. */
  source: string
  /** The file with the aliases, if they are read again when it changes. */
  configFile?: string
  /** In the order in which they are tried. Those of tsconfig.json come after them. */
  aliases: readonly Alias[]
  /** Absolute folders in which bare names are looked for, too. */
  folders: readonly string[]
  /** A tsconfig.json that the host is told to read, besides the nearest one. */
  tsconfig?: string | undefined
  /** Names, maybe with dots, that have another value. A text is code, as in the host's own option. */
  define: Readonly<Record<string, unknown>>
  /** `import.meta.env` */
  env: Readonly<Record<string, unknown>>
  /** Files that `env` is read from; none where the host starts again when one changes. */
  envFiles: readonly string[]
  /** The URL path of the project's folder. */
  base: string
}

export interface Alias {
  /** A text stands for itself and for what is below it. */
  find: string | RegExp
  isExact?: boolean
  /** Paths and names, the first that exists counts; `false` is an empty module. */
  to: readonly (string | false)[]
}

/** Reads the aliases of a config: an object, or a list in the form of Vite or of webpack. */
export function readAliases(alias: unknown): Alias[] {
  return Array.isArray(alias) ? alias.flatMap(readEntry) : Object.entries(alias || {}).flatMap(readPair)
}

function readEntry(entry: unknown): Alias[] {
  const { find, replacement, name, alias, onlyModule } = (entry ?? {}) as Record<string, unknown>
  if (find instanceof RegExp && typeof replacement === 'string') return [{ find, to: [replacement] }]
  return readPair([onlyModule ? `${String(name)}$` : (find ?? name), replacement ?? alias])
}

function readPair([name, to]: [unknown, unknown]): Alias[] {
  const places = [to].flat().filter((place) => typeof place === 'string' || place === false)
  return typeof name === 'string' && places.length > 0 ? [readAlias(name, places)] : []
}

/** In webpack's form, `name$` is exact, and `*` is any text. */
function readAlias(name: string, to: (string | false)[]): Alias {
  const isExact = name.endsWith('$')
  const find = isExact ? name.slice(0, -1) : name
  if (!find.includes('*')) return { find, isExact, to }
  const [before, after] = find.split('*').map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const filled = to.map((one) => one && one.replace('*', '$1'))
  return { find: new RegExp(`^${before}(.*)${after}$`), to: filled }
}
