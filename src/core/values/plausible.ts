import { hash32, hex32, mixHash } from './hash.ts'
import { words } from './values.ts'

/** Plausible values for generated items. The same seed gives the same values. */

export function seedOf(...parts: readonly (string | number)[]): number {
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
const minute = 60_000

function plausibleDate(seed: number): Date {
  return new Date(fixedDay + ((seed % 129_600) - 64_800) * minute) // 45 days before and after
}

function plausibleUuid(seed: number, number: number): string {
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
const date: Make = ({ seed }) => plausibleDate(seed).toISOString()
const people =
  /^(?:account|actor|author|character|client|contact|customer|employee|guest|member|owner|patient|person|player|seller|staff|student|teacher|user)/i

/** Makers by the name of a field, in lower case and without separators. */
const byName: readonly (readonly [RegExp, Make])[] = [
  [/e?mail(?:address)?$/, email],
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
  [/(?:ur[il]|href|link|website|homepage)$/, (about) => `https://example.com/${slug(about)}`],
  [
    /(?:date|time|timestamp)$|(?:created|updated|modified|deleted|published|expires|started|ended)(?:at|on)$/,
    date,
  ],
]

/** A text that a field with this name may have; `undefined` if the name says nothing. */
export function plausibleText(field: string, about: About): string | undefined {
  const plain = field.replace(/[^A-Za-z\d]/g, '').toLowerCase()
  return byName.find(([pattern]) => pattern.test(plain))?.[1](about)
}

/** The lowest and the highest number, and how many digits it may have after its point. */
const ranges: readonly (readonly [RegExp, low: number, high: number, digits: number])[] = [
  [/price|amount|total|cost|balance|salary|fee|revenue/i, 1, 500, 2],
  [/^age$/i, 18, 80, 0],
  [/year/i, 2020, 2026, 0],
  [/^lat(?:itude)?$/i, -60, 70, 4],
  [/^(?:lng|lon|long|longitude)$/i, -180, 180, 4],
  [/rating|stars|score/i, 1, 5, 1],
  [/percent|ratio|share|progress/i, 0, 100, 0],
  [/quantity|count|stock|size|number/i, 1, 50, 0],
]

export function plausibleRange(field: string): { low: number; high: number; digits: number } {
  const [, low, high, digits] = ranges.find(([pattern]) => pattern.test(field)) ?? [/./, 1, 1000, 0]
  return { low, high, digits }
}

/** Texts of the formats of JSON Schema that say more than how a text is written. */
export function plausibleFormat(format: string, about: About, number: number): string | undefined {
  const iso = plausibleDate(about.seed).toISOString()
  if (format === 'date-time') return iso
  if (format === 'date') return iso.slice(0, 10)
  if (format === 'time') return iso.slice(11)
  if (format === 'email' || format === 'idn-email') return email(about)
  if (format === 'uuid') return plausibleUuid(about.seed, number)
  if (/^(?:uri|url|iri)$/.test(format)) return `https://example.com/${slug(about)}`
  return undefined
}
