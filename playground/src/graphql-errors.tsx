import type { GraphQLFormattedError } from 'graphql'

export function GraphqlErrors({ errors }: { errors: readonly GraphQLFormattedError[] }) {
  return (
    <div className="notice" role="alert">
      <h3>{errors.length === 1 ? '1 error' : `${errors.length} errors`}</h3>
      <ul>
        {errors.map((error, index) => (
          <li key={index}>
            <p className="message">{error.message}</p>
            <dl className="facts">
              <dt>path</dt>
              <dd>{error.path?.join('.') ?? 'none'}</dd>
              <dt>location</dt>
              <dd>
                {error.locations?.map((at) => `line ${at.line}, column ${at.column}`).join(' and ') ?? 'none'}
              </dd>
            </dl>
          </li>
        ))}
      </ul>
    </div>
  )
}
