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
      { test: /\.css$/, type: 'css' },
    ],
  },
  plugins: [
    new HtmlRspackPlugin({ template: './template.html' }),
    mockApi({ fixtures: ['templates', 'fixtures'] }),
  ],
  devServer: { host: '127.0.0.1', port: process.env.PORT },
}
