import { index, route } from '@react-router/dev/routes'

export default [
  index('routes/home.jsx'),
  route('rendered', 'routes/rendered.jsx'),
  route('own', 'routes/own.js'),
  route('third', 'routes/third.js'),
]
