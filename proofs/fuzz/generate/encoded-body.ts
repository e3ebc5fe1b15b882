/**
 * Entries as the body of a request: in every media type that is spoken, and spoiled in ways that bodies get spoiled.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import type { FuzzBody } from '../vocabulary.ts'
import type { Header } from './headers.ts'
import { fuzzedJson, type JsonEntry, jsonValueText } from './json.ts'

export interface Encoded {
  headers: Header[]
  body?: FuzzBody
}

const boundary = 'fuzz-boundary'

const formText = (value: unknown) => (typeof value === 'string' ? value : jsonValueText(value))

const escaped = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll('%EE%80%80', '\uE000').replaceAll('%EE%80%81', '\uE001')

/** A list is its entries, one after the other. */
const spread = (entries: readonly JsonEntry[]): JsonEntry[] =>
  entries.flatMap(([key, value]) =>
    Array.isArray(value) ? value.map((each): JsonEntry => [key, each]) : [[key, value]],
  )

function urlencoded(entries: readonly JsonEntry[]): string {
  return spread(entries)
    .map(([key, value]) => `${escaped(key)}=${escaped(formText(value))}`)
    .join('&')
}

function part(name: string, content: string, more = ''): string {
  const quoted = name.replace(/["\r\n]/g, '_')
  return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"${more}\r\n\r\n${content}\r\n`
}

function multipart(entries: readonly JsonEntry[], more = ''): string {
  const parts = spread(entries).map(([key, value]) => part(key, formText(value)))
  return `${parts.join('')}${more}--${boundary}--\r\n`
}

const files = [
  part('file', 'hello', '; filename="a.txt"\r\nContent-Type: text/plain'),
  part('files', '\x89PNG', '; filename="b.png"\r\nContent-Type: image/png'),
  part('image', '', '; filename=""'),
  part('file', 'x', '; filename="../../etc/passwd"'),
  part('file', 'x', `; filename="${'n'.repeat(400)}.txt"`),
  part('files', 'x', "; filename*=UTF-8''%e2%82%ac"),
  part('requests.0.file', 'x', '; filename="a.txt"'),
]

const typed = (contentType: string, text: string): Encoded => ({
  headers: [['content-type', contentType]],
  body: { text },
})

/** In a form that is spoken. */
function wellFormed(entries: readonly JsonEntry[], onlyJson: boolean): Arbitrary<Encoded> {
  const json = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON')
  const forms = fc.oneof(
    fc.constant(typed('application/x-www-form-urlencoded', urlencoded(entries))),
    fc
      .subarray(files, { maxLength: 2 })
      .map((more) => typed(`multipart/form-data; boundary=${boundary}`, multipart(entries, more.join('')))),
    fc
      .constantFrom(part('@jsonPayload', fuzzedJson(entries)), part('@jsonPayload', '{"title":1}').repeat(2))
      .map((more) => typed(`multipart/form-data; boundary="${boundary}"`, multipart([], more))),
  )
  return fc.oneof(
    { weight: 6, arbitrary: json.map((type) => typed(type, fuzzedJson(entries))) },
    { weight: onlyJson ? 0 : 2, arbitrary: forms },
    {
      weight: onlyJson ? 1 : 0,
      arbitrary: fc.constant(
        typed(
          `multipart/form-data; boundary=${boundary}`,
          multipart([], part('@jsonPayload', fuzzedJson(entries))),
        ),
      ),
    },
  )
}

const otherTypes: readonly (Header | undefined)[] = [
  undefined,
  ['content-type', ''],
  ['content-type', 'text/plain'],
  ['content-type', 'application/xml'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'application/jsonx'],
  ['content-type', 'multipart/form-data'],
  ['content-type', 'multipart/form-data; boundary='],
  ['content-type', `multipart/form-data; boundary=${'b'.repeat(200)}`],
  ['content-type', 'multipart/form-data; boundary=(.*)+$'],
  ['content-type', 'application/x-www-form-urlencoded; charset=x'],
]

const strings = [
  '',
  ' ',
  'null',
  '[]',
  '1',
  '"x"',
  '{',
  '{"a":}',
  '[[[[',
  '{}{}',
  '\ufeff{}',
  'NaN',
  '{"a":1,}',
  '\0',
  '%',
  'a&=&b=%ff',
]

function spoil({ headers, body }: Encoded): Arbitrary<Encoded> {
  const text = body?.text ?? ''
  return fc.oneof(
    fc.constantFrom(...otherTypes).map((header) => ({ headers: header ? [header] : [], body: { text } })),
    fc.double({ min: 0, max: 0.999, noNaN: true }).map((share) => {
      return { headers, body: { text: text.slice(0, Math.floor(text.length * share)) } }
    }),
    fc.constantFrom('x', ' ', '\0', '{}', ']', '\r\n--fuzz-boundary').map((more) => {
      return { headers, body: { text: text + more } }
    }),
    fc.constantFrom(...strings).map((other) => ({ headers, body: { text: other } })),
    fc.constantFrom([0xff], [0xc3], [0xed, 0xa0, 0x80], [0x80, 0x22, 0x7d]).map((tail) => {
      return { headers, body: { text, tail } }
    }),
    fc.constant<Encoded>({ headers: [] }),
  )
}

/** @param onlyJson the operation takes no forms but a batch's */
export function encodedBody(entries: readonly JsonEntry[], onlyJson = false): Arbitrary<Encoded> {
  const good = wellFormed(entries, onlyJson)
  return fc.oneof({ weight: 7, arbitrary: good }, { weight: 1, arbitrary: good.chain(spoil) })
}
