import { expect, it } from 'vitest'
import { readAccepted } from '../../src/explore/accepted.ts'

it('keeps findings and differences apart', () => {
  const finding = { kind: 'connection', verdict: 'stuck', reason: 'a' }
  const difference = { against: 'null *', request: 'GET /users', reason: 'b' }
  expect(readAccepted(`- ${JSON.stringify(finding)}\n- ${JSON.stringify(difference)}\n`, 'a.yaml')).toEqual({
    findings: [finding],
    differences: [{ ...difference, line: 2 }],
  })
  expect(readAccepted('', 'a.yaml')).toEqual({ findings: [], differences: [] })
})

it.each([
  ['a finding without a reason', '- { kind: connection, verdict: stuck }', 'a.yaml:1:3', 'reason: '],
  ['a finding without a verdict', '- kind: connection\n  reason: a', 'a.yaml:1:3', 'verdict: '],
  ['an unknown kind', '- verdict: stuck\n  kind: nul\n  reason: a', 'a.yaml:2:9', 'kind: There is no sad path of the kind "nul". Did you mean "null"?'],
  ['the id of an unknown kind', "- { id: 'GET /user #nul name', verdict: stuck, reason: a }", 'a.yaml:1:9', 'id: There is no sad path of the kind "nul". '],
  ['nothing that is accepted', '- verdict: stuck\n  reason: a', 'a.yaml:1:3', 'an id, a request or a kind'],
  ['a difference without a reason', '- against: status', 'a.yaml:1:3', 'reason: '],
  ['a difference with a verdict', '- against: status\n  reason: a\n  verdict: stuck', 'a.yaml:3:12', 'verdict: '],
  ['no list', 'against: status', 'a.yaml:1:1', ''],
])('refuses %s, and says where', (_, content, place, text) => {
  expect(() => readAccepted(content, 'a.yaml')).toThrow(`${place} is not an accepted finding: ${text}`)
}) // prettier-ignore

it('refuses what is no YAML', () => {
  expect(() => readAccepted('- { kind: status,\n- [', 'a.yaml')).toThrow(/^a\.yaml:2:\d+ is not YAML: /)
})
