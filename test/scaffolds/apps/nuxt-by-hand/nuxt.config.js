import mockApi from 'unplugin-mock-api/vite'

// Vite's root is Nuxt's app folder. With this, `fixtures` is next to this file.
export default defineNuxtConfig({ vite: { plugins: [mockApi({ root: import.meta.dirname })] } })
