/**
 * Random bodies of creates and updates, as JSON and as forms, for tables with every kind of field.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { livingValues, words } from './values.ts'

const fieldsOf: Record<string, string> = {
  conf_everything: `text number bool email url editor date stamp select selects json file files relation relations
    password geo created nope`,
  conf_constrained: 'short auto whole range domain notdomain link tiny period two small image pair pin',
  conf_required: 'text number bool email url editor date select json file relation password geo',
  conf_unique: 'code grp slot alias nick',
  conf_hiding: 'title secret hiddenRel closed',
  conf_ruled: 'title public level',
  conf_loose: 'label one many',
  conf_members: 'name username email password passwordConfirm verified emailVisibility tokenKey oldPassword',
}

type Body = Record<string, unknown>

/** Lists in lists name no file: what is left of them differs, and nothing depends on it. */
const namesFiles = (field: string, value: unknown) =>
  !/^(files?|image)$/.test(field) ||
  !(Array.isArray(value) && value.some((element) => typeof element === 'object'))

/** A number that no double holds: the family stores it, and then sends every list with that record without a body. */
const isEndless = (field: string, value: unknown) =>
  /^(json|small)$/.test(field) && JSON.stringify(value).includes('1e400')

/** A host that begins with a digit, with a port: the family says 500 where the domains of an address are restricted. */
const hasNumericHost = (field: string, value: unknown) =>
  field === 'link' && typeof value === 'string' && /^\d[^/]*:/.test(value)

/** Two modifiers of one field are applied by the family in any order: at most one key for each field. */
function bodies(fields: string): Arbitrary<Body> {
  const mark = fc.constantFrom('', '', '', '+', '-')
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...words(fields)), mark, livingValues, fc.boolean()), {
      maxLength: 3,
      selector: ([field]) => field,
    })
    .map((parts) =>
      Object.fromEntries(
        parts
          .filter(
            ([field, , value]) =>
              namesFiles(field, value) && !isEndless(field, value) && !hasNumericHost(field, value),
          )
          .map(([field, sign, value, ahead]) => [sign === '+' && ahead ? `+${field}` : field + sign, value]),
      ),
    )
}

export interface Write {
  table: string
  create: Body
  update: Body
}

/** A create and an update of the same record. */
export const writes: Arbitrary<Write> = fc
  .constantFrom(...Object.entries(fieldsOf))
  .chain(([table, fields]) =>
    fc.record({ table: fc.constant(table), create: bodies(fields), update: bodies(fields) }),
  )

const boundary = 'B'
const formTypes = {
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: `multipart/form-data; boundary=${boundary}`,
}

const urlencoded = fc
  .array(
    fc.constantFrom(
      ...words(`text=a text=b number=1 number=01 number=1.50 bool=true bool=TRUE selects=a selects=b selects=a%2Cb
        json=%7B%22a%22%3A1%7D json=1 json=true json=null json=x text+=c text%2B=c number%2B=1 selects-=a
        geo=%7B%22lon%22%3A1%7D text =x text=%zz text=a;b text=a+b @jsonPayload=%7B%22text%22%3A%22p%22%7D
        @jsonPayload=%5B%5D @jsonPayload=x relations=related00000001 text=1 text=1.0 text=true text=1e3 json=1e3
        json=-1 json=01 email= date=2024-02-29 geo.lon=1`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => ({ type: formTypes.urlencoded, text: parts.join('&') }))

const multipart = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...words('text number bool json selects selects+ +selects selects- geo @jsonPayload relations nope'),
      ),
      fc.constantFrom(
        ...[
          'a',
          '1',
          '01',
          'true',
          '{"lon":1}',
          '["a","b"]',
          '',
          '{"text":"p"}',
          '1.5',
          '-1',
          '1e3',
          ' a ',
          'a\r\nb',
        ],
      ),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .filter((parts) => new Set(parts.map(([name]) => name).filter((name) => /[+-]/.test(name))).size < 2)
  .map((parts) => {
    const written = parts.map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    return { type: formTypes.multipart, text: `${written.join('')}--${boundary}--\r\n` }
  })

const json = fc
  .constantFrom(
    ...[
      '{}',
      '[]',
      '1',
      '"x"',
      '{"text":',
      ' {"text":"x"} ',
      '{"text":"x","text":"y"}',
      '\ufeff{}',
      "{'text':1}",
    ],
    ...[
      String.raw`{"text":"\ud800"}`,
      String.raw`{"number":"\u0031"}`,
      '{"json":{"b":1,"a":2}}',
      '{"text":"a\tb"}',
    ],
    ...['{"json":[1.0,1e2,-0,0.1e-6,12345678901234567890]}'],
  )
  .map((text) => ({ type: 'application/json', text }))

export interface RawBody {
  type: string
  text: string
}

/** Bodies byte by byte with their media type. */
export const rawBodies: Arbitrary<RawBody> = fc.oneof(urlencoded, multipart, json)
