import { useState } from 'preact/hooks'
import { asJson } from '../../../core/values/json-value.ts'
import type { Overrides } from '../../api/api.ts'
import { useInspector } from '../inspector.ts'
import { store, stored } from '../logic/stored.ts'
import { switchedTexts } from '../logic/switched.ts'
import { Button, IconAction, Section } from './controls.tsx'
import { Form } from './fields.tsx'

interface SavedSet {
  name: string
  scenario: readonly string[]
  overrides: Overrides
}

/** Sets of switches that this browser keeps. */
export function SavedSets() {
  const { server, setScenario, setOverrides, say } = useInspector()
  const { scenario, overrides } = server
  const [sets, setSets] = useState(() => (asJson(stored('sets') ?? '')?.value ?? []) as SavedSet[])
  const [name, setName] = useState('')
  const save = (changed: SavedSet[]) => {
    setSets(changed)
    store('sets', JSON.stringify(changed))
  }
  const without = (removed: string) => sets.filter((one) => one.name !== removed)
  const isSwitched = switchedTexts(scenario, overrides).length > 0
  return (
    <Section title="Saved sets" id="sets">
      {sets.map((set) => (
        <p class="row" key={set.name}>
          <Button
            onClick={() => {
              setScenario([...set.scenario])
              setOverrides(() => set.overrides)
              say(`The switches of "${set.name}" are on`)
            }}
          >
            {set.name}
          </Button>
          <span class="note grow">{switchedTexts(set.scenario, set.overrides).join(', ')}</span>
          <IconAction icon="clear" label={`Delete ${set.name}`} onClick={() => save(without(set.name))} />
        </p>
      ))}
      {isSwitched ? (
        <Form
          class="line"
          onSubmit={() => {
            save([...without(name), { name, scenario, overrides }])
            setName('')
          }}
        >
          <input
            class="grow"
            required
            aria-label="Name of the set"
            placeholder="Name"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <button type="submit">Save the switches</button>
        </Form>
      ) : (
        sets.length === 0 && <p class="muted">Turn on a switch, then save the switches here under a name.</p>
      )}
    </Section>
  )
}
