import { anyMethod } from '../core/schema/schema.ts'
import { addTo } from '../core/values/collections.ts'

/** A route of a server that asks its routes one after the other, whatever their paths. */
interface Placed {
  method: string
  path: string
}

/** Routes that stand before others: here, the more exact path would answer. */
export class EarlierRoutes<Route extends Placed> {
  /** By the count of segments and the first of them; environments have thousands of routes. */
  readonly #routes = new Map<string, Route[]>()

  add(route: Route): void {
    addTo(this.#routes, keyOf(route.path), route)
  }

  /** Routes that get all requests of another one. */
  over({ method, path }: Placed): Route[] {
    const count = path.split('/').length
    const keys = new Set([keyOf(path), `${count}/:`, '**'])
    return [...keys]
      .flatMap((key) => this.#routes.get(key) ?? [])
      .filter((one) => [anyMethod, method].includes(one.method) && pathCovers(one.path, path))
  }
}

function keyOf(path: string): string {
  const segments = path.split('/')
  const first = segments[1]!
  return path.endsWith('**') ? '**' : `${segments.length}/${first.startsWith(':') ? ':' : first}`
}

/** Whether a path has all requests of another one. */
export function pathCovers(path: string, other: string): boolean {
  const [own, others] = [path.split('/'), other.split('/')]
  if (own.at(-1) === '**') return own.slice(0, -1).every((one, index) => fits(one, others[index]))
  return own.length === others.length && own.every((one, index) => fits(one, others[index]))
}

const fits = (own: string, other = '**') =>
  own === other || (other !== '' && own.startsWith(':') && !/[?*+]$/.test(own) && !/[*?+]/.test(other))
