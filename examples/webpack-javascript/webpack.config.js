import HtmlWebpackPlugin from 'html-webpack-plugin'
import mockApi from 'unplugin-mock-api/webpack'

export default {
  mode: 'development',
  entry: './src/main.js',
  output: { clean: true },
  module: {
    rules: [{ test: /\.css$/, use: ['style-loader', 'css-loader'] }],
  },
  plugins: [new HtmlWebpackPlugin({ template: 'index.html' }), mockApi()],
}
