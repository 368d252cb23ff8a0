import adapter from '@sveltejs/adapter-node'

/** @type {import('@sveltejs/kit').Config} */
export default {
  kit: {
    adapter: adapter(),
    typescript: {
      // Editors and svelte-check read the fixtures in TypeScript too. The path starts at .svelte-kit.
      config: (config) => ({ ...config, include: [...config.include, '../fixtures/**/*.ts'] }),
    },
  },
}
