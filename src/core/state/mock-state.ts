import { CollectionStore } from '../collection/collection-store.ts'
import type { SavedItems } from '../collection/saved-lines.ts'
import { getOrMake } from '../values/collections.ts'
import { clientOf, namedScenarios, type NamedScenarios } from '../http/whose-state.ts'
import type { HeaderSource } from '../http/raw-request.ts'
import { maxClients, OverrideSet } from './overrides.ts'
import type { ScenarioChange } from '../schema/then-schema.ts'
import { LruMap } from '../values/lru-map.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { diagnoseRequest } from '../diagnostics/request-texts.ts'
import type { Endpoint, RouteTable } from '../table/route-table.ts'

/** Remembered diagnostics, so that each is given once. */
const maxNotices = 1000
const maxNoticeLength = 200
/** Clients that are remembered of each sad path. */
const maxSeen = 5

/** Approximate characters of all counts: some ten thousand counts. */
const maxCounted = 1_000_000
const entryOverhead = 50

export interface RateWindow {
  start: number
  answers: number
}

/** A scenario that an answer has made active, or has ended. */
export interface ScenarioSwitch {
  isActive: boolean
  /** The id of the route. */
  by: string
}

/**
 * State that changes while a mock server runs. The empty string as a client means everyone.
 *
 * It is pure: two states that get the same calls in the same order are equal.
 */
export class MockState {
  /** The option `scenario`, which a reset goes back to. */
  readonly #initial: readonly string[]
  #scenarios: readonly string[]
  readonly #ofClients = new LruMap<string, readonly string[]>({ max: maxClients })
  /** Changes of answers by client and scenario, on top of the scenarios that are set or that a request names. */
  readonly #changes = new LruMap<string, ReadonlyMap<string, ScenarioSwitch>>({ max: maxClients })
  readonly #turns = new LruMap<string, number>({
    max: maxCounted,
    sizeOf: (_, key) => key.length + entryOverhead,
  })
  /** Names of sequences: their places in files, and how often the file was read before. */
  #names = new WeakMap<object, string>()
  readonly #named = new Map<string, number>()
  /** How often anything has changed. */
  #version = 0
  #savedVersion = 0
  /** Windows by an object that is made when a file is read, so that limits begin again when it is saved. */
  rateWindows = new WeakMap<object, RateWindow>()
  readonly #noticed = new LruMap<string, true>({ max: maxNotices })
  readonly #listeners = new Set<() => void>()
  readonly overrides = new OverrideSet(() => this.#changed())
  readonly collections = new CollectionStore()
  /** Which clients have had a sad path, by its id; not everyone. No reset ends it: it is what tests have looked at. */
  readonly seenSadPaths = new LruMap<string, readonly string[]>({ max: maxNotices })

  /** The last item of the page that a sad path has seen, by the overrides that ask for the sad path. */
  readonly lastItems = new WeakMap<object, unknown>()

  constructor(scenarios: readonly string[] = []) {
    this.#initial = this.#scenarios = scenarios
    this.collections.onChange(() => void this.#version++)
  }

  /** The scenarios that a request names, else those of its client, else those of the server. */
  activeFor(method: string, url: string, source: HeaderSource): readonly string[] {
    const named = namedScenarios(method, url, source)?.names
    return this.scenariosOf(clientOf(source.headers), named)
  }

  /** Scenarios of a client, as its answers have changed them: those that are set for it, else those of the server. */
  scenariosOf(
    client: string,
    set: readonly string[] = (client === '' ? undefined : this.#ofClients.get(client)) ?? this.#scenarios,
  ): readonly string[] {
    const changes = this.#changes.get(client)
    if (!changes) return set
    const added = [...changes].filter(([, { isActive }]) => isActive).map(([name]) => name)
    return [...new Set([...set.filter((name) => changes.get(name)?.isActive !== false), ...added])]
  }

  /** Scenarios that answers have changed for the client. All requests without a name are one client. */
  changesOf(client: string): ReadonlyMap<string, ScenarioSwitch> {
    return this.#changes.get(client) ?? new Map()
  }

  /** A page names scenarios: what answers have changed about these is undone, and with none, all of it. */
  openPage(names: readonly string[], client: string): void {
    const left = [...this.changesOf(client)].filter(([name]) => names.length > 0 && !names.includes(name))
    if (left.length === this.changesOf(client).size) return
    this.#changes.set(client, new Map(left))
    this.#changed()
  }

  /** @param by the id of the route whose answer changes them */
  changeScenarios({ add = [], remove = [] }: ScenarioChange, client: string, by: string): void {
    const before = this.changesOf(client)
    const switched = (names: string | string[], isActive: boolean) =>
      [names].flat().map((name) => [name, { isActive, by }] as const)
    const wanted = [...switched(remove, false), ...switched(add, true)]
    if (wanted.every(([name, { isActive }]) => before.get(name)?.isActive === isActive)) return
    this.#changes.set(client, new Map([...before, ...wanted]))
    this.#changed()
  }

  /** @param names empty for none; `undefined` for the option's, and for a client those of everyone */
  setScenarios(names: readonly string[] | undefined, client = ''): void {
    if (client === '') this.#scenarios = names ?? this.#initial
    else if (names) this.#ofClients.set(client, names)
    else this.#ofClients.delete(client)
    this.#changes.delete(client)
    this.#changed()
  }

  /** Whether an override chooses the route of the endpoint. */
  forces({ method, path, routes }: Endpoint, { headers }: HeaderSource): boolean {
    if (!this.overrides.isOn) return false
    const forced = this.overrides.routeFor(clientOf(headers), `${method} ${path}`)
    return routes.some(({ id }) => id === forced)
  }

  /** @param sequence a new object starts the sequence anew @returns how many turns were taken before */
  takeTurn(sequence: object, key: string, client: string): number {
    const id = this.#turnKey(sequence, key, client)
    const taken = this.#turns.get(id) ?? 0
    this.#turns.set(id, taken + 1)
    this.#version++
    return taken
  }

  nextTurn(sequence: object, key: string, client: string): number {
    return this.#turns.get(this.#turnKey(sequence, key, client)) ?? 0
  }

  seeSadPath(id: string, client: string): void {
    if (client === '') return
    const others = (this.seenSadPaths.get(id) ?? []).filter((other) => other !== client)
    this.seenSadPaths.set(id, [client, ...others].slice(0, maxSeen))
  }

  isFirstNotice(what: string): boolean {
    const key = what.slice(0, maxNoticeLength)
    if (this.#noticed.get(key)) return false
    this.#noticed.set(key, true)
    return true
  }

  hasNoticedScenario(name: string): boolean {
    return this.#noticed.get(scenarioNotice(name).slice(0, maxNoticeLength)) !== undefined
  }

  reset(client = ''): void {
    this.overrides.reset(client)
    this.collections.reset(client)
    if (client === '') {
      this.#scenarios = this.#initial
      this.#ofClients.clear()
      this.#changes.clear()
      this.#turns.clear()
      this.rateWindows = new WeakMap()
    } else {
      this.#ofClients.delete(client)
      this.#changes.delete(client)
      const own = prefixOf(client)
      for (const id of [...this.#turns.keys()]) if (id.startsWith(own)) this.#turns.delete(id)
    }
    this.#changed()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Tells listeners of a switch that is not part of this state, such as a recording. */
  notify(): void {
    this.#changed()
  }

  /** State that requests have changed, as JSON; `undefined` if nothing changed since it was saved or restored. */
  save(): SavedState | undefined {
    if (this.#version === this.#savedVersion) return undefined
    this.#savedVersion = this.#version
    const collections = this.collections.save(() => true)
    return {
      scenarios: this.#scenarios,
      ofClients: [...this.#ofClients],
      changes: [...this.#changes].map(([client, changes]) => [client, [...changes]]),
      turns: [...this.#turns],
      collections,
    }
  }

  /** Restores a saved state, before the first request. State of another version of the fixture files is left out. */
  restore({ scenarios, ofClients, changes, turns, collections }: SavedState): void {
    this.#scenarios = scenarios
    for (const [client, names] of ofClients) this.#ofClients.set(client, names)
    for (const [client, entries] of changes) this.#changes.set(client, new Map(entries))
    for (const [key, taken] of turns) this.#turns.set(key, taken)
    this.collections.restore(collections)
  }

  #changed(): void {
    this.#version++
    for (const listener of this.#listeners) listener()
  }

  #turnKey(sequence: object, key: string, client: string): string {
    const name = getOrMake(this.#names, sequence, () => this.#nameOf(sequence))
    return `${prefixOf(client)}${name} ${key}`
  }

  #nameOf(sequence: { file?: string; line?: number; column?: number }): string {
    const place = `${sequence.file}:${sequence.line}:${sequence.column}`
    const before = this.#named.get(place) ?? 0
    this.#named.set(place, before + 1)
    return `${place}#${before}`
  }
}

/** The state of a handler as JSON, for a host without a memory of its own. */
export interface SavedState {
  /** Active for everyone. */
  scenarios: readonly string[]
  /** Active for single clients. */
  ofClients: readonly (readonly [client: string, scenarios: readonly string[]])[]
  /** Changes of answers for single clients. */
  changes: readonly (readonly [client: string, readonly (readonly [scenario: string, ScenarioSwitch])[]])[]
  /** How many responses of each sequence were sent. */
  turns: readonly (readonly [key: string, taken: number])[]
  /** The collections that requests have changed. */
  collections: readonly SavedItems[]
}

/** Prefix with the length of the client's name, so that no client is the prefix of another. */
function prefixOf(client: string): string {
  return `${client.length} ${client} `
}

const scenarioNotice = (name: string) => `scenario ${name}`

export function unknownScenarios(
  { state, hasElsewhere }: { state: MockState; hasElsewhere?: ((scenario: string) => boolean) | undefined },
  { scenarios }: RouteTable,
  named: NamedScenarios | undefined,
): readonly Diagnostic[] {
  if (!named || named.names.length === 0) return none
  return named.names
    .filter(
      (name) =>
        !scenarios?.findIn(name) && !hasElsewhere?.(name) && state.isFirstNotice(scenarioNotice(name)),
    )
    .map((name) => describeUnknown(name, named.by, scenarios?.names))
}

const none: readonly Diagnostic[] = []

export function unknownInOption({ scenario }: { scenario: readonly string[] }, { scenarios }: RouteTable) {
  return scenario
    .filter((name) => !scenarios?.findIn(name))
    .map((name) => describeUnknown(name, 'option "scenario"', scenarios?.names))
}

/** @param by who names it, as in "The header … names"; without it, the caller itself */
export function describeUnknown(name: string, by: string | undefined, known: readonly string[] = []) {
  return diagnoseRequest('scenario-unknown', {}, { name, by, known })
}
