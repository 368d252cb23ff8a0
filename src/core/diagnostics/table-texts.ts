import { quote } from '../values/describe-value.ts'
import { createDiagnose, list, type Texts } from './text.ts'

/** Routes beside the others of their endpoint. */
export const tableTexts = {
  'path-parameter-conflict': (d: { path: string; other: string; place: string }) => ({
    message: `${quote(d.path)} and ${quote(d.other)} (${d.place}) are the same endpoint, but their parameters are written differently.`,
    fix: `Write the path the same way in both places.`,
  }),
  'default-route-duplicate': (d: {
    endpoint: string
    place: string
    isBroken?: boolean
    scenario?: string | undefined
  }) => ({
    message: `${d.endpoint} has two default routes${d.scenario === undefined ? '' : ` in the scenario ${quote(d.scenario)}`}: this one and the one at ${d.place}, which ${d.isBroken ? 'has an error, so that requests get a 500' : 'answers'}.`,
    fix: 'Give one of them a selector ("when") or a "scenario" of its own, or delete it.',
  }),
  'selector-body-of-get': (d: { path: string }) => ({
    severity: 'warning',
    message: `This route selects by the body of GET ${d.path}, and GET requests usually have none.`,
    fix: 'Add the method of the request, as in method: POST, or select by "query" instead.',
  }),
  'selector-duplicate': (d: { name: string; place: string }) => ({
    severity: 'warning',
    message: `This route never answers: ${quote(d.name)} (${d.place}) has the same selector and comes first.`,
    fix: 'Change one of the two selectors, or delete this route.',
  }),
  'selector-shadowed': (d: { name: string; place: string }) => ({
    severity: 'warning',
    message: `This route never answers: ${quote(d.name)} (${d.place}) comes first, and its selector matches the same requests and more.`,
    fix: 'Move this route in front of the other one, or delete it.',
  }),
  'graphql-path-other': (d: { path: string; keys: readonly string[]; paths: readonly string[] }) => ({
    severity: 'warning',
    message: `${list(d.keys)} can't work at ${quote(d.path)}: the GraphQL endpoint is ${list(d.paths)}.`,
    fix: `Set the option "graphql.path" to ${quote(d.path)}, or to a list that has it; or correct the path of the route.`,
  }),
} satisfies Texts

export const diagnoseTable = createDiagnose(tableTexts)
