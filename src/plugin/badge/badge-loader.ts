/* The loader of webpack's, Rspack's and Rsbuild's clients. */
import { withBadge } from './with-badge.ts'

export default withBadge
