/** A sad path in words, as far as its id tells: `GET /orders: [].title is null`. */
export function describeSadPath(id: string): string {
  const [, request, kind = '', name = ''] = /^(.+?) #(\w+)(?: (.+))?$/s.exec(id) ?? []
  if (request === undefined) return id
  const [first = '', ...rest] = name.split(' ')
  const list = rest.join(' ') || 'the list'
  const texts: Partial<Record<string, string>> = {
    status: `the answer is ${name}`,
    null: `${name} is null`,
    missing: `${name} is missing`,
    empty: `${name} is empty`,
    long: `${name} is a very long text`,
    list: first === 'one' ? `${list} has one item` : `${list} is empty`,
    page: `a page of ${list} is ${first}`,
    error: `the answer has the error ${name}`,
    body: `the body is ${name === 'html' ? 'a page in HTML' : name}`,
    slow: `the answer is ${name === 'late' ? 'late' : 'out of order'}`,
    connection: `the connection is ${name}`,
  }
  return `${request}: ${texts[kind] ?? name}`
}
