import { useCallback, useEffect, useState } from 'preact/hooks'
import type { Edit } from '../../../api/api.ts'
import { complete, type JsonSchema } from '../../logic/editing/complete.ts'
import { CompletingArea } from '../../parts/completing-area.tsx'

/** A word, or where a value or a key of one line is expected. */
const begun = /[$\w.-]$|(?:: |[{,] )$/

/** Completes with the JSON Schema of fixture files. The text is checked as the server would read it. */
export function YamlEditor({ edit, onChange }: { edit: Edit; onChange: (text: string) => void }) {
  const [text, setText] = useState(edit.text)
  const [schema, setSchema] = useState<JsonSchema>()
  useEffect(() => {
    if (/\.ya?ml$/i.test(edit.file))
      void fetch('fixture.schema.json').then(async (answer) => setSchema((await answer.json()) as JsonSchema))
  }, [])
  // The first line that differs.
  const [, start = '1'] = /^@@ -\S+ \+(\d+)/.exec(edit.diff) ?? []
  return (
    <CompletingArea
      label={edit.file}
      text={text}
      rows={Math.min(16, text.split('\n').length + 1)}
      begun={begun}
      caret={
        text
          .split('\n')
          .slice(0, Number(start) + 1)
          .join('\n').length
      }
      complete={useCallback((typed, caret) => schema && complete(typed, caret, schema), [schema])}
      onInput={(next) => {
        setText(next)
        onChange(next)
      }}
    />
  )
}
