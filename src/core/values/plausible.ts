import { hash32, hex32, mixHash } from './hash.ts'
import { words } from './values.ts'

/** Plausible values for generated items. The same seed gives the same values. */

export function seedFrom(...parts: readonly (string | number)[]): number {
  return hash32(parts.join('\0'))
}

function pick<T>(values: readonly T[], seed: number): T {
  return values[seed % values.length]!
}

const firstNames = words(
  'Ada Amir Ana Ben Chen Clara David Elena Emil Fatima Finn Grace Hana Hugo Ines Ivan Jana Kenji Lena Leo Lina Malik Mara Mia Noah Nora Omar Paul Priya Rosa Samir Sofia Theo Uma Victor Yara Yusuf Zoe',
)
const lastNames = words(
  'Adler Bauer Costa Diaz Eriksen Fischer Garcia Haddad Ito Jansen Kaya Kowalski Lindgren Martin Meyer Nakamura Novak Okafor Olsen Patel Petrov Quinn Reyes Rossi Santos Schmidt Silva Tanaka Torres Ueda Varga Weber Wilson Yilmaz Young Zhang',
)
const streets = words(
  'Bridge Castle Church Garden Harbour Hill Lake Linden Market Mill Park River School Station',
)
const towns = words(
  'Ashford Brookfield Clearwater Easton Fairview Greenville Kingston Lakeside Millbrook Newport Oakdale Riverton Springdale Westbury',
)
const adjectives = words(
  'Amber Bold Bright Calm Clear Cosy Crisp Deep Early Fine Golden Green Light New Plain Quiet Silver Small Soft Warm',
)
const nouns = words(
  'Anchor Basket Bench Bottle Candle Chair Clock Cup Desk Garden Kettle Ladder Lamp Lantern Map Mirror Paper Pillow Shelf Table',
)
const companies = words(
  'Analytics Consulting Design Foods Labs Logistics Media Partners Software Supply Systems Trading',
)
const sentences = [
  'It arrived on time.',
  'The colour is as in the picture.',
  'Please call before the delivery.',
  'There are two of them in the box.',
  'This is the second version.',
  'Works as described.',
]

/** The day around which dates are generated. */
const fixedDay = Date.UTC(2026, 0, 15, 12)

export function plausibleUuid(seed: number, number: number): string {
  const digits = hex32(seed) + hex32(mixHash(seed + 1))
  const [a, b, c] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16)]
  return `${a}-${b}-4${c}-8${digits.slice(1, 4)}-${String(number).padStart(12, '0')}`
}

interface About {
  seed: number
  /** Seed of the object with the field: its name and its email address are of one person. */
  ofObject: number
  /** `User`, or the key of the object. */
  type: string
}

type Make = (about: About) => string

const firstName: Make = ({ ofObject }) => pick(firstNames, ofObject)
const lastName: Make = ({ ofObject }) => pick(lastNames, mixHash(ofObject))
const fullName: Make = (about) => `${firstName(about)} ${lastName(about)}`
const handle: Make = (about) => fullName(about).toLowerCase().replace(' ', '.')
const email: Make = (about) => `${handle(about)}${about.ofObject % 1000}@example.com`
const thing: Make = ({ seed }) => `${pick(adjectives, seed)} ${pick(nouns, mixHash(seed))}`
const slug: Make = (about) => thing(about).toLowerCase().replace(' ', '-')
const company: Make = ({ seed }) => `${pick(lastNames, seed)} ${pick(companies, mixHash(seed))}`
const address: Make = ({ seed }) => `${(seed % 180) + 1} ${pick(streets, seed)} Street`
const url: Make = (about) => `https://example.com/${slug(about)}`
/** Minutes: up to 45 days before or after the fixed day. */
const date: Make = ({ seed }) => new Date(fixedDay + ((seed % 129_600) - 64_800) * 60_000).toISOString()
const people =
  /^(?:account|actor|author|character|client|contact|customer|employee|guest|member|owner|patient|person|player|seller|staff|student|teacher|user)/i

const emailName = /e?mail(?:address)?$/
const urlName =
  /^(?:ur[il]|href|link|website|homepage)$|[a-z](?:Ur[il]|UR[IL]|Href|Link)$|[_-](?:ur[il]|href|link)$/
const dateName =
  /^(?:date|time|timestamp|datetime|birthdate)$|(?:created|updated|modified|deleted|published|expires|started|ended)(?:at|on)$|[a-z](?:At|Date|Time|Timestamp)$|[_-](?:at|date|time|timestamp)$/
const parsed: readonly (readonly [RegExp, format: string])[] = [
  [emailName, 'email'],
  [urlName, 'uri'],
  [dateName, 'date-time'],
]

/** Makers by the name of a field. */
const byName: readonly (readonly [RegExp, Make])[] = [
  [emailName, email],
  [/^(?:first|given|fore)name$/, firstName],
  [/^(?:last|family|sur)name$|^surname$/, lastName],
  [
    /^(?:full|display|customer|contact|author|owner|user|real|recipient)name$|^(?:author|assignee)$/,
    fullName,
  ],
  [/^(?:user|login|nick|screen)?(?:handle|login|nickname|username)$/, handle],
  [/company|organi[sz]ation|employer|vendor|brand/, company],
  [/^name$/, (about) => (people.test(about.type) ? fullName(about) : thing(about))],
  [/phone|mobile|^tel$|^fax$/, ({ seed }) => `+1555${String(seed % 10_000_000).padStart(7, '0')}`],
  [/^(?:address|street|line1|address1|addressline1|streetaddress)$/, address],
  [/city|town|locality$/, ({ seed }) => pick(towns, seed)],
  [/zip|postalcode|postcode/, ({ seed }) => String(10_000 + (seed % 90_000))],
  [/countrycode$|^country$/, ({ seed }) => pick(words('AT BR CA DE ES FR GB IN IT JP MX NL PL SE US'), seed)],
  [/currency/, ({ seed }) => pick(words('CHF EUR GBP JPY USD'), seed)],
  [/^(?:lang|language|locale)$/, ({ seed }) => pick(words('de en es fr it ja pt'), seed)],
  [/colou?r$/, ({ seed }) => pick(words('black blue green grey orange purple red white yellow'), seed)],
  [/title|label|product$|name$/, thing],
  [/slug$/, slug],
  [/sku$|^code$/, ({ seed }) => `${pick(nouns, seed).slice(0, 3).toUpperCase()}-${1000 + (seed % 9000)}`],
  [/description|summary|comment|note|message|body|content|text|^bio$/, ({ seed }) => pick(sentences, seed)],
  [
    /(?:image|avatar|photo|picture|thumbnail)(?:ur[il])?$/,
    (about) => `https://example.com/images/${slug(about)}.png`,
  ],
  [urlName, url],
  [dateName, date],
]

/** Entry of a table for a field, by its name as it is, or in lower case and without separators. */
function findNamed<T>(field: string, table: readonly (readonly [RegExp, T])[]): T | undefined {
  const plain = field.replace(/[^A-Za-z\d]/g, '').toLowerCase()
  return table.find(([pattern]) => pattern.test(plain) || pattern.test(field))?.[1]
}

/** A text that a field with this name may have; `undefined` if the name says nothing. */
export function plausibleText(field: string, about: About): string | undefined {
  return findNamed(field, byName)?.(about)
}

/** The format of a text that clients are likely to parse, by the name of its field. */
export function formatOfName(field: string): string | undefined {
  return findNamed(field, parsed)
}

/** The lowest and the highest number, and how many digits it may have after its point. */
const ranges: readonly (readonly [RegExp, readonly [low: number, high: number, digits: number]])[] = [
  [/price|amount|total|cost|balance|salary|fee|revenue/, [1, 500, 2]],
  [/^age$/, [18, 80, 0]],
  [/year/, [2020, 2026, 0]],
  [/^lat(?:itude)?$/, [-60, 70, 4]],
  [/^(?:lng|lon|long|longitude)$/, [-180, 180, 4]],
  [/rating|stars|score/, [1, 5, 1]],
  [/percent|ratio|share|progress/, [0, 100, 0]],
  [/quantity|count|stock|size|number/, [1, 50, 0]],
]

export function plausibleRange(field: string): { low: number; high: number; digits: number } {
  const [low, high, digits] = findNamed(field, ranges) ?? [1, 1000, 0]
  return { low, high, digits }
}

const twoDigits = (number: number) => String(((number - 1) % 28) + 1).padStart(2, '0')

/** Texts by the formats of JSON Schema. The number begins with 1, and differs between the entries of a list. */
const formats: readonly (readonly [
  names: string,
  make: (number: number, shortest: number) => string,
  plausible?: (about: About, number: number) => string,
])[] = [
  ['date', (number) => `2026-01-${twoDigits(number)}`, (about) => date(about).slice(0, 10)],
  [
    'date-time',
    (number, shortest) =>
      `2026-01-${twoDigits(number)}T12:00:00${shortest > 20 ? '.'.padEnd(shortest - 20, '0') : ''}Z`,
    date,
  ],
  ['time', (number) => `12:00:${twoDigits(number)}Z`, (about) => date(about).slice(11)],
  ['duration', (number) => `P${number}D`],
  ['email idn-email', (number) => `user${number}@example.com`, email],
  [
    'uuid',
    (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    ({ seed }, number) => plausibleUuid(seed, number),
  ],
  ['uri url iri', (number) => `https://example.com/${number}`, url],
  ['uri-reference json-pointer', (number) => `/${number}`],
  ['uri-template', () => 'https://example.com/{id}'],
  ['hostname idn-hostname', (number) => `host${number}.example.com`],
  ['ipv4', (number) => `192.0.2.${number}`],
  ['ipv6', (number) => `2001:db8::${number}`],
  ['byte', () => 'dGV4dA=='],
  ['regex', () => '^.*$'],
]
const formatByName = new Map(
  formats.flatMap((entry) => words(entry[0]).map((name) => [name, entry] as const)),
)

/** A text in a format: one of its number or, with `about`, a plausible one. */
export function textInFormat(
  format: string,
  number: number,
  about?: About,
  shortest = 0,
): string | undefined {
  const [, make, plausible] = formatByName.get(format) ?? []
  return about && plausible ? plausible(about, number) : make?.(number, shortest)
}
