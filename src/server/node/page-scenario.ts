import { pageVisit } from '../../core/answer/receive.ts'
import { addCookie } from '../../wire/node/write-response.ts'
import type { CreateFeature } from './feature.ts'

/** A page that is opened with `?mock-scenario=…` keeps the scenario, whoever sends the page. */
export const pageScenario: CreateFeature = ({ rulesNow, store, report }) => ({
  arrive(req, res) {
    const { method = 'GET', url = '/' } = req
    const visit = pageVisit(rulesNow(), store.current!.table, method, url, req)
    if (visit) {
      visit.notices.forEach(report)
      addCookie(res, visit.cookie)
    }
    return false
  },
})
