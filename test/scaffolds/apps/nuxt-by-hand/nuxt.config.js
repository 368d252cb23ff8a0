import mockApi from 'unplugin-mock-api/vite'

// Vite's root is Nuxt's app folder. With this, `fixtures` is beside this file.
export default defineNuxtConfig({ vite: { plugins: [mockApi({ root: import.meta.dirname })] } })
