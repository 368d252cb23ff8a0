import { describe, expect, it } from 'vitest'
import { MockState } from '../../../src/core/state/mock-state.ts'

describe('scenarios', () => {
  it('are those of the option, then those that were set, for everyone or for one client', () => {
    const state = new MockState(['a'])
    expect([state.scenariosOf(''), state.scenariosOf('one')]).toEqual([['a'], ['a']])
    state.setScenarios(['b'], 'one')
    state.setScenarios(['c'])
    expect(['', 'one', 'two'].map((client) => state.scenariosOf(client))).toEqual([['c'], ['b'], ['c']])
    state.setScenarios([], 'one')
    expect(state.scenariosOf('one')).toEqual([])
    state.setScenarios(undefined, 'one')
    state.setScenarios(undefined)
    expect([state.scenariosOf(''), state.scenariosOf('one')]).toEqual([['a'], ['a']])
  })

  it('of a client that was forgotten among thousands are those of everyone', () => {
    const state = new MockState(['all'])
    for (let i = 0; i < 1001; i++) state.setScenarios([`${i}`], `client ${i}`)
    expect(state.scenariosOf('client 0')).toEqual(['all'])
    expect(state.scenariosOf('client 1000')).toEqual(['1000'])
  })
})

describe('the active scenarios of a request', () => {
  const state = new MockState(['server'])
  state.setScenarios(['of one'], 'one')

  it.each<[headers: Record<string, string>, active: string[]]>([
    [{}, ['server']],
    [{ 'x-mock-client': 'one' }, ['of one']],
    [{ cookie: 'mock-client=one' }, ['of one']],
    [{ 'x-mock-client': 'two', cookie: 'mock-client=one' }, ['server']],
    [{ 'x-mock-client': '', cookie: 'mock-client=one' }, ['server']],
    [{ 'x-mock-scenario': 'a' }, ['a']],
    [{ 'x-mock-scenario': ' a , b,,a' }, ['a', 'b']],
    [{ 'x-mock-scenario': '' }, []],
    [{ 'x-mock-scenario': '', cookie: 'mock-scenario=b' }, []],
    [{ 'x-mock-scenario': 'caf%C3%A9, 100% off' }, ['café', '100% off']],
    [{ cookie: 'a=1; mock-scenario=a,b; mock-client=one' }, ['a', 'b']],
    [{ cookie: 'mock-scenario=a%2Cb' }, ['a', 'b']],
    [{ cookie: 'mock-scenario=payment%20down' }, ['payment down']],
    [{ cookie: 'mock-scenario=' }, []],
    [{ cookie: 'not-mock-scenario=a' }, ['server']],
    [{ cookie: 'a=mock-scenario' }, ['server']],
  ])('%j: %j', (headers, active) => {
    expect(state.activeFor('GET', '/items', { headers })).toEqual(active)
  })

  const html = { accept: 'text/html,*/*;q=0.8' }
  it.each<[target: string, headers: Record<string, string>, active: string[]]>([
    ['GET /?mock-scenario=a', html, ['a']],
    ['GET /?a=1&mock-scenario=a%20b,c&b=2', html, ['a b', 'c']],
    ['GET /?mock-scenario=a&mock-scenario=b', html, ['a', 'b']],
    ['GET /?mock-scenario=a', { ...html, cookie: 'mock-scenario=b' }, ['a']],
    ['GET /?mock-scenario=', { ...html, cookie: 'mock-scenario=b' }, []],
    ['GET /?mock-scenario', html, []],
    ['GET /?mock-scenario=a', { ...html, 'x-mock-scenario': 'b' }, ['b']],
    ['GET /?mock-scenario=a', { accept: '*/*' }, ['server']],
    ['GET /?mock-scenario=a', {}, ['server']],
    ['POST /?mock-scenario=a', html, ['server']],
    ['GET /?not-mock-scenario=a', html, ['server']],
    ['GET /?a=mock-scenario', html, ['server']],
    ['GET /mock-scenario=a', html, ['server']],
  ])('%s with %j: %j', (target, headers, active) => {
    const [method, url] = target.split(' ') as [string, string]
    expect(state.activeFor(method, url, { headers })).toEqual(active)
  })
})

describe('turns', () => {
  it('are counted by sequence, by key and by client', () => {
    const state = new MockState()
    const [first, second] = [{}, {}]
    const take = (sequence: object, key = '', client = '') => state.takeTurn(sequence, key, client)
    const taken = [take(first), take(first), take(second), take(first, '{"id":"7"}')]
    expect([...taken, take(first, '', 'a'), take(first, '', 'a'), take(first)]).toEqual([0, 1, 0, 0, 0, 1, 2])
  })

  it('are not mixed up, whatever a client is called', () => {
    const state = new MockState()
    const sequence = {}
    expect(state.takeTurn(sequence, 'c', 'a 0 b')).toBe(0)
    expect(state.takeTurn(sequence, 'b 0 c', 'a')).toBe(0)
  })

  it('can be looked at without being taken', () => {
    const state = new MockState()
    const sequence = {}
    expect(state.nextTurn(sequence, '', '')).toBe(0)
    state.takeTurn(sequence, '', '')
    expect([state.nextTurn(sequence, '', ''), state.nextTurn(sequence, '', '')]).toEqual([1, 1])
  })

  it('take a bounded amount of memory, however many keys there are', () => {
    const state = new MockState()
    const sequence = {}
    state.takeTurn(sequence, 'first', '')
    for (let i = 0; i < 2000; i++) state.takeTurn(sequence, `${i}`.padEnd(1000), `client ${i}`)
    expect(state.nextTurn(sequence, 'first', '')).toBe(0)
    expect(state.nextTurn(sequence, '1999'.padEnd(1000), 'client 1999')).toBe(1)
  })
})

describe('reset', () => {
  function changed() {
    const state = new MockState(['start'])
    const sequence = {}
    for (const client of ['', 'a', 'ab']) {
      state.setScenarios(['other'], client)
      state.takeTurn(sequence, '', client)
    }
    const read = () =>
      ['', 'a', 'ab'].map(
        (client) => `${state.scenariosOf(client)[0]} ${state.nextTurn(sequence, '', client)}`,
      )
    return { state, read }
  }

  it('of one client leaves the others as they are', () => {
    const { state, read } = changed()
    state.reset('a')
    expect(read()).toEqual(['other 1', 'other 0', 'other 1'])
    state.setScenarios(['all'])
    expect(state.scenariosOf('a')).toEqual(['all'])
  })

  it('of everyone is one of every client, too', () => {
    const { state, read } = changed()
    state.reset()
    expect(read()).toEqual(['start 0', 'start 0', 'start 0'])
  })
})

it('tells its listeners of every change, until they are removed', () => {
  const state = new MockState()
  const calls: string[] = []
  const stop = state.onChange(() => calls.push('changed'))
  state.setScenarios(['a'])
  state.setScenarios(['a'], 'one')
  state.reset()
  state.takeTurn({}, '', '')
  stop()
  state.reset()
  expect(calls).toEqual(['changed', 'changed', 'changed'])
})
