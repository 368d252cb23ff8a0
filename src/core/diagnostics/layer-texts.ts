import { quote } from '../values/describe-value.ts'
import { createDiagnose, type Texts } from './text.ts'

/** Answers inside the process of the application, with MSW or in tests. */
export const layerTexts = {
  'host-not-own': (d: { request: string; host: string }) => ({
    severity: 'warning',
    message: `${d.request} of ${quote(d.host)} is not answered, although a route has its path: it is another host than the application's.`,
    fix: `If the request is for your backend, set the option "allowedHosts" to [${quote(d.host)}].`,
  }),
  'layers-overlap': (d: { layers: readonly string[] }) => ({
    severity: 'warning',
    message: `The same requests are answered by two layers: ${d.layers.join(', and ')}. The first to see a request answers it, with its own scenarios and sequences.`,
    fix: 'Remove one of them.',
  }),
} satisfies Texts

export const diagnoseLayer = createDiagnose(layerTexts)
