import type { Options } from 'tsup'

export type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number]
