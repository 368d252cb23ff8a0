import { backendTexts } from './backend-texts.ts'
import { bundleTexts } from './bundle-texts.ts'
import { compilerTexts } from './compiler-texts.ts'
import { failureTexts } from './failure-texts.ts'
import { fileTexts } from './file-texts.ts'
import { fixtureTexts } from './fixture-texts.ts'
import { folderTexts } from './folder-texts.ts'
import { graphiqlTexts } from './graphiql-texts.ts'
import { graphqlTexts } from './graphql-texts.ts'
import { layerTexts } from './layer-texts.ts'
import { optionTexts } from './option-texts.ts'
import { requestTexts } from './request-texts.ts'
import { schemaTexts } from './schema-texts.ts'
import { selectorTexts } from './selector-texts.ts'
import { tableTexts } from './table-texts.ts'
import { webTexts } from './web-texts.ts'

/**
 * Every diagnostic the package can report. The keys are the stable codes.
 *
 * For types, tests and documentation. What reports a diagnostic imports the function of its own table, so that a server does
 * not load texts that it has no use for.
 */
export const catalogue = {
  ...optionTexts,
  ...compilerTexts,
  ...folderTexts,
  ...fileTexts,
  ...fixtureTexts,
  ...selectorTexts,
  ...tableTexts,
  ...requestTexts,
  ...failureTexts,
  ...webTexts,
  ...layerTexts,
  ...backendTexts,
  ...graphqlTexts,
  ...schemaTexts,
  ...graphiqlTexts,
  ...bundleTexts,
}
