import { Fragment } from 'preact'
import { shortcuts } from '../logic/commands.ts'
import { Dialog } from '../parts/dialog.tsx'

const shownKeys: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' }

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {shortcuts.map(({ keys, help }) => (
          <div key={help}>
            <dt>
              {keys.map((key) => (
                <Fragment key={key}>
                  <kbd>{shownKeys[key] ?? key}</kbd>{' '}
                </Fragment>
              ))}
            </dt>
            <dd>{help}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
