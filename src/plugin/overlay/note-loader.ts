/* The loader of webpack's, Rspack's and Rsbuild's clients. */
import { withNotes } from './note.ts'

export default withNotes
