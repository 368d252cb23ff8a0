import { quote } from '../values/describe-value.ts'
import { createDiagnose, type Texts } from './text.ts'

/** GraphiQL. */
export const graphiqlTexts = {
  'graphiql-not-installed': (d: { packageName: string }) => ({
    severity: 'warning',
    message: `GraphiQL can't be shown: the package ${quote(d.packageName)} is not installed.`,
    fix: `Run \`npm install --save-dev ${d.packageName}\` and reload the page, or remove the option "graphql.graphiql".`,
  }),
  'graphiql-failed': (d: { packageName: string; reason: string }) => ({
    message: `GraphiQL can't be shown: the package ${quote(d.packageName)} failed: ${d.reason}`,
    fix: `Run \`npm install --save-dev ${d.packageName}\` again and reload the page.`,
  }),
} satisfies Texts

export const diagnoseGraphiQL = createDiagnose(graphiqlTexts)
