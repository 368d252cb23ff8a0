import { writeFiles, type Scaffold } from './scaffold.ts'

type Host = Pick<Scaffold, 'name' | 'dev'> &
  Partial<Scaffold> & { files?: Record<string, string>; isModule?: boolean }

/** An application by hand: a generator asks questions, or installs by itself. */
export function host({ files = {}, isModule = false, create, ...given }: Host): Scaffold {
  return {
    async create(folder) {
      if (create) return create(folder)
      const manifest = { name: 'an-app', private: true, ...(isModule && { type: 'module' }) }
      writeFiles(folder, { 'package.json': JSON.stringify(manifest), ...files })
    },
    config: 'package.json',
    page: { path: '/', text: '' },
    ...given,
  }
}
