import { HtmlRspackPlugin } from '@rspack/core'
import mockApi from 'unplugin-mock-api/rspack'

export default {
  context: import.meta.dirname,
  entry: './src/main.tsx',
  module: {
    rules: [
      {
        test: /\.tsx?$/,
        loader: 'builtin:swc-loader',
        options: { jsc: { transform: { react: { runtime: 'automatic' } } } },
      },
      // The package says that its files have no side effects, and the playground is in it.
      { test: /\.css$/, type: 'css', sideEffects: true },
    ],
  },
  plugins: [
    new HtmlRspackPlugin({ template: './template.html' }),
    mockApi({ fixtures: ['templates', 'fixtures'] }),
  ],
  devServer: { host: '127.0.0.1', port: process.env.PORT },
}
