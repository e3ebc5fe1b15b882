/**
 * The entries of a body: valid ones from a table's fields or an operation's schema, then some of them spoiled.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { byTable } from './by-table.ts'
import { type JsonEntry, twinKey } from './json.ts'
import { oddJson } from './odd-strings.ts'
import { validValue } from './valid-value.ts'

const shares = fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100)

const account: readonly JsonEntry[] = [
  ['password', 'password1234'],
  ['passwordConfirm', 'password1234'],
]

const newEmails = fc.stringMatching(/^[a-z]{8}$/).map((name): JsonEntry => ['email', `${name}@mail.example`])
const accountChanges = fc.constantFrom<JsonEntry[]>(
  [],
  [['emailVisibility', true]],
  [['oldPassword', 'password1234'], ...account],
)

/**
 * Fields of a record. The last argument is the share of optional fields, from 0 to 1.
 */
export const recordEntries = byTable((table, creating: boolean, share: number): Arbitrary<JsonEntry[]> => {
  const fields = (table.fields ?? []).flatMap((field) => {
    const value = validValue(field)
    if (value === undefined) return []
    const there = creating && field.required ? 0.97 : share
    return [
      fc.tuple(shares, value).map(([luck, each]): JsonEntry[] => (luck < there ? [[field.name, each]] : [])),
    ]
  })
  const own = fc.tuple(...fields).map((all) => all.flat())
  if (table.type !== 'auth') return own
  if (creating) return fc.tuple(own, newEmails).map(([entries, each]) => [...entries, ...account, each])
  return fc.tuple(own, accountChanges).map(([entries, more]) => [...entries, ...more])
})

const unknownKeys = [
  '__proto__',
  'constructor',
  'toString',
  'nothing',
  '',
  'id',
  'created',
  'collectionId',
  'expand',
  'tokenKey',
  'verified',
  '@jsonPayload',
  'a'.repeat(300),
  'a\0b',
]

/** Changes one to three entries, or adds some. */
function spoiledEntries(source: Arbitrary<JsonEntry[]>): Arbitrary<JsonEntry[]> {
  const change = fc.record({
    at: fc.nat({ max: 30 }),
    how: fc.constantFrom('omit', 'value', 'null', 'twin', 'add', '+', '-', 'first+', ':autogenerate', 'list'),
    key: fc.constantFrom(...unknownKeys),
    value: oddJson,
  })
  return fc.tuple(source, fc.array(change, { minLength: 1, maxLength: 3 })).map(([entries, changes]) => {
    const result = [...entries]
    for (const { at, how, key, value } of changes) {
      const place = result.length === 0 ? 0 : at % result.length
      const [name, old] = result[place] ?? [key, value]
      if (how === 'add') result.push([key, value])
      else if (how === 'omit') result.splice(place, 1)
      else if (how === 'value') result[place] = [name, value]
      else if (how === 'null') result[place] = [name, null]
      else if (how === 'twin') result.push([twinKey(name), value])
      else if (how === 'list') result[place] = [name, [old, value]]
      else if (how === 'first+') result[place] = [`+${name}`, old]
      else result[place] = [`${name}${how}`, old]
    }
    return result
  })
}

/** Mostly valid, some spoiled. */
export function someSpoiled(source: Arbitrary<JsonEntry[]>): Arbitrary<JsonEntry[]> {
  return fc.oneof({ weight: 3, arbitrary: source }, { weight: 1, arbitrary: spoiledEntries(source) })
}
