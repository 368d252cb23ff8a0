import { createDiagnose, type Texts } from './text.ts'

/** Compilers: webpack and Rspack. */
export const compilerTexts = {
  'server-unreachable': (d: { hint?: string }) => ({
    severity: 'warning',
    message: "Nothing is mocked: the plugin can't reach the dev server that serves this build.",
    fix:
      'Remove the plugin from the config, and add the middleware to the server before all others:\n' +
      "       import { createMiddleware } from 'unplugin-mock-api/connect'\n" +
      `       app.use(createMiddleware())${d.hint ? `\n       ${d.hint}` : ''}`,
  }),
} satisfies Texts

export const diagnoseCompiler = createDiagnose(compilerTexts)
