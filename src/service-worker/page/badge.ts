import { readScenarioNames } from '../../core/http/whose-state.ts'
import { calm, createNotice } from '../../plugin/badge/notice.ts'

export interface Badge {
  fail: () => void
}

export function showBadge(reset: () => void): Badge {
  const label = document.createElement('span')
  label.textContent = labelText()
  label.title = 'The requests of this page are answered from fixtures.'
  const host = createNotice(
    'mock-api-badge',
    calm,
    label,
    { text: 'Hide this notice' },
    {
      mark: '↺',
      text: 'Start again: brings back the items of the fixtures',
      onClick: reset,
    },
  )
  const add = () => document.body.append(host)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', add, { once: true })
  else add()
  return {
    fail() {
      label.textContent = 'Mock API: not available'
      label.title = 'The console says why. Requests go to the network.'
    },
  }
}

function labelText(): string {
  const [, value = ''] = /(?:^|; )mock-scenario=([^;]*)/.exec(document.cookie) ?? []
  const names = readScenarioNames(value)
  return names.length === 0 ? 'Mock API' : `Mock API: ${names.join(', ')}`
}
