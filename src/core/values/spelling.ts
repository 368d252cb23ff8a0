import leven from 'leven'

/** One typo per three letters, and none in a single letter. */
export function allowedTypos(name: string): number {
  return Math.floor((name.length + 1) / 3)
}

/** The edit distance if it is at most `most`, otherwise `Infinity`. Two swapped letters count once: `nmae` for `name`. */
export function countTypos(a: string, b: string, most: number): number {
  if (a === b) return 0
  const distance = leven(a, b, { maxDistance: most + 2 })
  const typos = distance === 2 && sortLetters(a) === sortLetters(b) ? 1 : distance
  return typos <= most ? typos : Infinity
}

function sortLetters(text: string): string {
  return [...text].sort().join('')
}

/** `undefined` when no known name is similar enough. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name // most names, without comparing
  const wanted = plainName(name)
  let most = allowedTypos(wanted)
  let nearest: string | undefined
  for (const candidate of known) {
    const typos = countTypos(wanted, plainName(candidate), most)
    if (typos > most) continue
    nearest = candidate
    if (typos === 0) break
    most = typos - 1
  }
  return nearest
}

/** `per_page` is `perPage`. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** Whether a field may have got another name: written in another way, longer, shorter, or almost the same. */
export function isLikeName(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => name.toLowerCase().replaceAll(/[_-]/g, '')) as [string, string]
  const isPart = Math.min(a.length, b.length) > 2 && (a.includes(b) || b.includes(a))
  return a === b || isPart || nearestName(one, [other]) !== undefined
}
