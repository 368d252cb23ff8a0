import type { HeroData } from './hero-queries.ts'

interface Props {
  hero: NonNullable<HeroData['hero']>
  partial: boolean
}

export function HeroCard({ hero, partial }: Props) {
  return (
    <section aria-labelledby="data-heading">
      <h3 id="data-heading">{partial ? 'Partial data' : 'Data'}</h3>
      <p className="hero-name">{hero.name ?? <em>name missing</em>}</p>
      {hero.heroFriends ? (
        <ul className="friends" aria-label="Friends of the hero">
          {hero.heroFriends.map((friend, index) => (
            <li key={friend?.id ?? index} className={friend?.name == null ? 'missing' : undefined}>
              <span>{friend?.name ?? <em>name missing</em>}</span>
              {friend && <span className="id">ID {friend.id}</span>}
            </li>
          ))}
        </ul>
      ) : (
        <p>
          <em>friends missing</em>
        </p>
      )}
    </section>
  )
}
