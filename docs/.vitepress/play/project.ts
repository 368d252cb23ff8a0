/* What a reader does at home: install, three lines of configuration, and the file. */

/** The configuration file by bundler. */
export const configFiles = {
  Vite: 'vite.config.ts',
  webpack: 'webpack.config.mjs',
  Rspack: 'rspack.config.mjs',
  Rsbuild: 'rsbuild.config.ts',
}
export type Bundler = keyof typeof configFiles

export const installCommand = 'npm install --save-dev unplugin-mock-api'

export function configOf(bundler: Bundler): string {
  return `import mockApi from 'unplugin-mock-api/${bundler.toLowerCase()}'

export default { plugins: [mockApi()] }`
}
