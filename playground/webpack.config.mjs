import HtmlWebpackPlugin from 'html-webpack-plugin'
import mockApi from 'unplugin-mock-api/webpack'

export default {
  mode: 'development',
  context: import.meta.dirname,
  entry: './src/main.tsx',
  module: {
    rules: [
      { test: /\.tsx?$/, loader: 'esbuild-loader', options: { jsx: 'automatic' } },
      // The package says that its files have no side effects, and the playground is in it.
      { test: /\.css$/, use: ['style-loader', 'css-loader'], sideEffects: true },
    ],
  },
  plugins: [
    new HtmlWebpackPlugin({ template: './template.html' }),
    mockApi({ fixtures: ['templates', 'fixtures'] }),
  ],
  devServer: { host: '127.0.0.1', port: process.env.PORT },
}
