import { repositoryFiles } from '../.vitepress/repository-files.ts'

/** Files outside docs/ that pages link to: README.md, SECURITY.md, and so on. */
export default {
  watch: ['../../*.md'],
  paths: () => repositoryFiles().map(({ name, content }) => ({ params: { name }, content })),
}
