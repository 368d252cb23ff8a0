import { useCallback, useState } from 'preact/hooks'
import { complete, describeKey, type JsonSchema } from '../logic/editing/complete.ts'
import { CompletingArea } from './completing-area.tsx'

/** A word, or where a value or a key of one line is expected. */
const begun = /[$\w.-]$|(?:: |[{,] |[{,:]\s*")$/

interface FixtureAreaProps {
  /** The name of the file. */
  file: string
  text: string
  /** Absent while it is loaded. */
  schema: JsonSchema | undefined
  rows: number
  caret?: number
  onInput: (text: string) => void
}

/** A fixture file: completes with the JSON Schema, and describes the key at the caret and the one under the pointer. */
export function FixtureArea({ file, schema, caret, ...others }: FixtureAreaProps) {
  const [at, setAt] = useState(caret)
  const isJson = /\.json\w*$/.test(file)
  const describe = (place: number) => schema && describeKey(others.text, place, schema, isJson)
  const description = at !== undefined && describe(at)
  return (
    <>
      <CompletingArea
        {...others}
        label={file}
        begun={begun}
        {...(caret !== undefined && { caret })}
        complete={useCallback((typed, end) => schema && complete(typed, end, schema, isJson), [schema])}
        describe={describe}
        onCaret={setAt}
      />
      {description && <p class="note">{description}</p>}
    </>
  )
}
