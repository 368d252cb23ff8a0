export { createNodeLayer } from './intercept/node/test-layer.ts'
