import { bodiesOf } from '../../core/fixture/known-bodies.ts'
import type { Route } from '../../core/fixture/route.ts'
import { getOrMake } from '../../core/values/collections.ts'
import { hideSecrets } from '../../core/redact/redact.ts'
import { nameOfDifference } from '../../backend/compare/accepted-differences.ts'
import type { FoundDifference } from '../../backend/compare/found.ts'
import type { RealAnswers } from '../../backend/compare/real-answers.ts'
import { createLocate } from '../../loader/locate.ts'
import { writeYaml } from '../../writer/write-yaml.ts'
import type { RealDifference, RealityState } from '../api/api.ts'
import { shownPosition } from '../show.ts'
import { checkThisMachine } from './access.ts'
import type { ApiHandlers, ApiRequest, InspectedServer } from './context.ts'
import { HttpError } from './json.ts'

/** Differences that are shown, errors first: `check --against` tells all. */
const maxDifferences = 100

/** Characters of an answer that are shown. */
const maxShown = 20_000

export function createRealityHandlers({ options, reality, state, store }: InspectedServer) {
  const routeId = ({ source }: Route) => {
    const routes = store.current!.table.endpoints.flatMap((endpoint) => endpoint.routes)
    return (
      routes.find((one) => one.source.file === source.file && one.source.pointer === source.pointer)?.id ?? ''
    )
  }
  const show = async (answers: RealAnswers): Promise<RealityState> => {
    const { differences: all, compared, accepted } = answers.report()
    const { target, isOn } = reality
    const rank = ({ severity }: FoundDifference) => ['error', 'warning', 'note'].indexOf(severity)
    const differences = all.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxDifferences)
    const takeable = answers.takeable(differences)
    const locate = createLocate(options.root)
    const texts = new Map<unknown, string>() // an answer may have many differences
    const textOf = (value: unknown) => getOrMake(texts, value, () => shown(value))
    const describe = async (one: FoundDifference): Promise<RealDifference> => {
      const { code, severity, message, fix, route, keys, endpoint, sent, alsoIn } = one
      const answer = answers.answerFor(one)
      const [own] = bodiesOf(route)
      const isNewStatus = /^against-status/.test(code) && answer && answer.planned.method === 'GET'
      return {
        id: idOf(one),
        code,
        severity,
        message,
        endpoint,
        route: routeId(route),
        fix: fix
          .replace(/,? or run with --update/, '') // there is a button for it
          .replace('Give credentials with --header.', 'Set record.headers, or ask it as the page does.'),
        ...shownPosition(keys.length === 0 ? route.source : await locate(route, keys)),
        sent: [...sent],
        alsoIn: [...alsoIn],
        canTake: takeable.has(one),
        ...(own && { ours: textOf(own.value) }),
        ...(answer?.json && { theirs: textOf(answer.json.value) }),
        ...(isNewStatus && {
          newRoute: writeYaml([
            {
              name: `as the backend has answered ${answer.sent}`,
              path: route.path,
              scenario: `real-${answer.answer.status}`,
              response: {
                status: answer.answer.status,
                ...(answer.json && { body: hideSecrets(answer.json.value, () => {}) }),
              },
            },
          ]),
        }),
      }
    }
    return {
      ...(target !== undefined && { target }),
      compare: isOn && target !== undefined,
      compared: compared.size,
      accepted,
      total: all.length,
      differences: await Promise.all(differences.map(describe)),
    }
  }

  const find = (answers: RealAnswers, id: string): FoundDifference => {
    const found = answers.report().differences.find((one) => idOf(one) === id)
    if (found) return found
    throw new HttpError(404, 'api-difference-unknown', {
      message: `There is no difference "${id}".`,
      fix: 'Ask GET reality for them.',
    })
  }

  const writing =
    <Body>(write: (answers: RealAnswers, body: Body) => void) =>
    async ({ req, body }: ApiRequest<Body>) => {
      checkThisMachine(req, 'write fixtures')
      const answers = await reality.load()
      write(answers, body)
      state.notify()
      return show(answers)
    }

  return {
    'GET /reality': async () => show(await reality.load()),

    'PUT /reality': async ({ req, body }) => {
      checkThisMachine(req, 'ask the backend')
      if (body.compare) targetOf(reality)
      reality.isOn = body.compare
      return show(await reality.load())
    },

    'POST /reality': async ({ req }) => {
      checkThisMachine(req, 'ask the backend')
      const target = targetOf(reality)
      const answers = await reality.load()
      const { asked, failed } = await answers.compareAll()
      if (asked === 0 && failed !== undefined)
        throw new HttpError(400, 'api-backend-away', {
          message: `Nothing was compared: ${target} gave no answer: ${failed}.`,
          fix: 'Start the backend, or correct record.target.',
        })
      return show(answers)
    },

    'POST /reality/take': writing((answers, { ids }) => answers.take(ids.map((id) => find(answers, id)))),

    'POST /reality/accept': writing((answers, { id, reason }) => answers.accept(find(answers, id), reason)),
  } satisfies Partial<ApiHandlers>
}

function idOf(one: FoundDifference): string {
  return `${one.endpoint} ${nameOfDifference(one)}`
}

function shown(value: unknown): string {
  return JSON.stringify(
    hideSecrets(value, () => {}),
    null,
    2,
  ).slice(0, maxShown)
}

function targetOf({ target }: InspectedServer['reality']): string {
  if (target !== undefined) return target
  throw new HttpError(400, 'api-backend-missing', {
    message: 'The options name no backend to compare with.',
    fix: 'Set record: { target: "https://staging.example", enabled: false } in the options of the plugin.',
  })
}
