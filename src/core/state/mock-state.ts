import { getOrMake } from '../values/collections.ts'
import { clientOf, namedScenarios } from '../http/client.ts'
import type { HeaderSource } from '../http/raw-request.ts'
import { OverrideSet, type OverrideEffect, type Overrides } from './overrides.ts'
import { LruMap } from '../values/lru-map.ts'

/** Clients whose scenarios are remembered; beyond that, the least recently used is forgotten. */
const maxClients = 1000

/** Diagnostics that are remembered, so that each is given once. */
const maxNotices = 1000
const maxNoticeLength = 200

/** Approximate characters of all remembered counts: some ten thousand of them. */
const maxCounted = 1_000_000
const entryOverhead = 50

/** How many requests a route with a rate limit has answered since `start`, in milliseconds. */
export interface RateWindow {
  start: number
  answers: number
}

/**
 * What changes while a mock server runs, beside its route table, which never does: the active scenarios, the overrides, and
 * the counts of sequences and rate limits. A client that is the empty string means everyone.
 *
 * It is pure: two states that get the same calls in the same order are equal.
 */
export class MockState {
  /** The scenarios of the option `scenario`, which a reset goes back to. */
  readonly #initial: readonly string[]
  #scenarios: readonly string[]
  readonly #ofClients = new LruMap<string, readonly string[]>({ max: maxClients })
  readonly #turns = new LruMap<string, number>({
    max: maxCounted,
    sizeOf: (_, key) => key.length + entryOverhead,
  })
  /** A number for each sequence, so that the keys of its counts are short. */
  #numbers = new WeakMap<object, number>()
  #lastNumber = 0
  /** By an object that is made when a file is read, so that the limits of a file that is saved begin again. */
  rateWindows = new WeakMap<object, RateWindow>()
  readonly #noticed = new LruMap<string, true>({ max: maxNotices })
  readonly #listeners = new Set<() => void>()
  /** What the control API has switched on. */
  readonly overrides = new OverrideSet()

  constructor(scenarios: readonly string[] = []) {
    this.#initial = this.#scenarios = scenarios
  }

  /**
   * The scenarios that are active for a request: those that it names itself, else those that are set for its client, else
   * those of the server.
   */
  activeFor(method: string, url: string, source: HeaderSource): readonly string[] {
    return namedScenarios(method, url, source)?.names ?? this.scenariosOf(clientOf(source.headers))
  }

  /** The scenarios that are set for a client, else the current ones of the server. */
  scenariosOf(client: string): readonly string[] {
    return (client === '' ? undefined : this.#ofClients.get(client)) ?? this.#scenarios
  }

  /**
   * Sets the active scenarios of everyone, or of one client.
   *
   * @param names an empty list for none; `undefined` for the option's, and for a client those of everyone
   */
  setScenarios(names: readonly string[] | undefined, client = ''): void {
    if (client === '') this.#scenarios = names ?? this.#initial
    else if (names) this.#ofClients.set(client, names)
    else this.#ofClients.delete(client)
    this.#changed()
  }

  /** Replaces the overrides of everyone, or of one client. */
  setOverrides(overrides: Overrides, client = ''): void {
    this.overrides.set(overrides, client)
    this.#changed()
  }

  /** What the overrides do to a request, which counts if the next requests are to fail. */
  takeOverride(client: string, endpoint: string, isDryRun = false): OverrideEffect {
    const before = this.overrides.get(client)
    const effect = this.overrides.take(client, endpoint, isDryRun)
    if (this.overrides.get(client) !== before) this.#changed()
    return effect
  }

  /**
   * Takes a client's next turn of a sequence.
   *
   * @param sequence stays the same object until the sequence is to start anew
   * @param key what it is counted by, besides the client
   * @returns how many turns were taken before
   */
  takeTurn(sequence: object, key: string, client: string): number {
    const id = this.#turnKey(sequence, key, client)
    const taken = this.#turns.get(id) ?? 0
    this.#turns.set(id, taken + 1)
    return taken
  }

  /** What `takeTurn` would return, without taking the turn. */
  nextTurn(sequence: object, key: string, client: string): number {
    return this.#turns.get(this.#turnKey(sequence, key, client)) ?? 0
  }

  /** Whether this is the first time that something is noticed. */
  isFirstNotice(what: string): boolean {
    const key = what.slice(0, maxNoticeLength)
    if (this.#noticed.get(key)) return false
    this.#noticed.set(key, true)
    return true
  }

  /** Goes back to the start: for everyone, with all clients, or for one client alone. */
  reset(client = ''): void {
    this.overrides.reset(client)
    if (client === '') {
      this.#scenarios = this.#initial
      this.#ofClients.clear()
      this.#turns.clear()
      this.rateWindows = new WeakMap()
    } else {
      this.#ofClients.delete(client)
      const own = prefixOf(client)
      for (const id of [...this.#turns.keys()]) if (id.startsWith(own)) this.#turns.delete(id)
    }
    this.#changed()
  }

  /** Calls a listener after scenarios or overrides were changed and after a reset. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Tells the listeners that something beside this state was switched: a recording. */
  notify(): void {
    this.#changed()
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }

  #turnKey(sequence: object, key: string, client: string): string {
    const number = getOrMake(this.#numbers, sequence, () => this.#lastNumber++)
    return `${prefixOf(client)}${number} ${key}`
  }
}

/** With its length, so that no client is the beginning of another. */
function prefixOf(client: string): string {
  return `${client.length} ${client} `
}
