import { defineNuxtModule } from 'nuxt/kit'

// Otherwise every build has a random one.
export default defineNuxtModule((_, nuxt) => {
  nuxt.options.buildId = 'fixed'
})
