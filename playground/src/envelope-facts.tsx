import type { ItemsEnvelope } from './fetch-items.ts'

/** The envelope's own keys and values, as received. */
export function EnvelopeFacts({ envelope }: { envelope: ItemsEnvelope }) {
  const { data, ...facts } = envelope
  return (
    <section aria-labelledby="envelope-heading">
      <h3 id="envelope-heading">Envelope of this page</h3>
      <dl className="envelope">
        {Object.entries({ ...facts, data: `${data.length} items` }).map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
