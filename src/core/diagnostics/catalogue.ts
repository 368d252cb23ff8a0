import { fixtureTexts } from './fixture-texts.ts'
import { graphqlTexts } from './graphql-texts.ts'
import { optionTexts } from './option-texts.ts'
import { requestTexts } from './request-texts.ts'
import { selectorTexts } from './selector-texts.ts'

/** Every diagnostic the package can report. The keys are the stable codes. */
export const catalogue = {
  ...optionTexts,
  ...fixtureTexts,
  ...selectorTexts,
  ...requestTexts,
  ...graphqlTexts,
}
