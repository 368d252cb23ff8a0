import { useInspector } from '../inspector-context.ts'
import { yamlLines } from '../logic/yaml-lines.ts'
import { Action } from './buttons.tsx'

interface CodeProps {
  text: string
  /** What it is, for the button and for screen readers: `the YAML`. */
  what: string
  isYaml?: boolean
  canCopy?: boolean
}

/** A preformatted text with a copy button. */
export function Code({ text, what, isYaml = false, canCopy = true }: CodeProps) {
  const { copy } = useInspector()
  return (
    <div class="code">
      <pre tabIndex={0} role="region" aria-label={what}>
        {isYaml ? <Yaml text={text} /> : text}
      </pre>
      {canCopy && (
        <Action icon="copy" isSmall onClick={() => copy(text, what)}>
          {`Copy ${what}`}
        </Action>
      )}
    </div>
  )
}

function Yaml({ text }: { text: string }) {
  return yamlLines(text).map((pieces, number) => (
    <span key={number}>
      {pieces.map(({ text, kind }) => (kind ? <span class={`token-${kind}`}>{text}</span> : text))}
      {'\n'}
    </span>
  ))
}
