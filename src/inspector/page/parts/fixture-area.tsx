import { useCallback, useState } from 'preact/hooks'
import { complete, describeKey, type JsonSchema } from '../logic/editing/complete.ts'
import { CompletingArea } from './completing-area.tsx'

/** A word, or where a value or a key of one line is expected. */
const begun = /[$\w.-]$|(?:: |[{,] )$/

interface FixtureAreaProps {
  /** The name of the file. */
  file: string
  text: string
  /** Absent while it is loaded, and for JSON. */
  schema: JsonSchema | undefined
  rows: number
  caret?: number
  onInput: (text: string) => void
}

/** A fixture file: completes with the JSON Schema, and describes the key at the caret. */
export function FixtureArea({ file, schema, caret, ...others }: FixtureAreaProps) {
  const [at, setAt] = useState(caret)
  const description = schema && at !== undefined && describeKey(others.text, at, schema)
  return (
    <>
      <CompletingArea
        {...others}
        label={file}
        begun={begun}
        {...(caret !== undefined && { caret })}
        complete={useCallback((typed, end) => schema && complete(typed, end, schema), [schema])}
        onCaret={setAt}
      />
      {description && <p class="note">{description}</p>}
    </>
  )
}
