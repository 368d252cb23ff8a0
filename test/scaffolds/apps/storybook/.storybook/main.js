import mockApi from 'unplugin-mock-api/vite'
import { mergeConfig } from 'vite'

export default {
  framework: '@storybook/html-vite',
  stories: ['../stories/*.stories.js'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  viteFinal: (config) => mergeConfig(config, { plugins: [mockApi()] }),
}
