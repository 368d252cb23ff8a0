/** Type-checked by `types.slow.test.ts`. Of .vue and .svelte files, the scripts are; of .astro files, the frontmatter. */
export const typed = ['ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx', 'vue', 'svelte', 'astro']

/** Parsed by `code-blocks.test.ts`; fixture files are loaded. */
export const data = ['yaml', 'yml', 'json', 'jsonc', 'json5']

/** Commands that `code-blocks.test.ts` knows (`commands.ts`). */
export const shell = ['sh', 'bash']
