import { sveltekit } from '@sveltejs/kit/vite'
import mockApi from 'unplugin-mock-api/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [sveltekit(), mockApi({ base: '/api' })] })
