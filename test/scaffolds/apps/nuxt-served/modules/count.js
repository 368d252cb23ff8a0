import { defineNuxtModule } from 'nuxt/kit'

// Part of the test, not of what a user writes: Nuxt has a Vite server for the client and one for itself.
export default defineNuxtModule((_, nuxt) => {
  nuxt.hook('vite:serverCreated', ({ middlewares }, { isClient }) => {
    const own = middlewares.stack.filter(({ handle }) => handle.name === 'mockApiMiddleware')
    console.log(`${isClient ? 'client' : 'server'}: ${own.length} mockApiMiddleware`)
  })
})
