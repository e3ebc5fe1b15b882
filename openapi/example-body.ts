/**
 * Bodies for the forms of a description that is shown in a browser: a reader can send them as they are.
 *
 * @module
 */

import { compileGenerator } from '../reference/fields/compile-generator.ts'
import type { Complete } from '../reference/fields/kind.ts'
import { compilePattern } from '../reference/fields/pattern.ts'
import type { Environment, Field } from '../reference/vocabulary.ts'
import { type FieldType, fieldTypes } from '../spec/field-types.ts'
import { mustBeSent } from './body-schemas.ts'
import { accountFields } from './record-schema.ts'
import type { DescribedTable } from './vocabulary.ts'

type Values = Record<string, unknown>
type Example<T extends FieldType> = (definition: Complete<T>, sample: string) => unknown

/**
 * Placeholder for the id of another record. The page that sends it shows the error of the field until it is replaced.
 */
const someId = 'a1b2c3d4e5f6g7h'

/**
 * Values within the limits of a definition, for types whose sample may exceed them. Undefined if only a server knows a
 * valid one.
 */
const examples: { readonly [T in FieldType]?: Example<T> } = {
  text: sampleText,
  number: ({ min, max }) => Math.min(Math.max(1, min ?? 1), max ?? Number.POSITIVE_INFINITY),
  email: ({ onlyDomains }) => `ann@${onlyDomains?.[0] ?? 'example.com'}`,
  url: ({ onlyDomains }) => `https://${onlyDomains?.[0] ?? 'example.com'}`,
  editor: ({ maxSize }, sample) => (maxSize === 0 || maxSize >= sample.length ? sample : undefined),
  date: ({ min, max }, sample) => min || max || sample,
  select: ({ values, maxSelect }) => (maxSelect > 1 ? values.slice(0, 1) : values[0]),
  relation: ({ required, maxSelect }) => (required ? (maxSelect > 1 ? [someId] : someId) : undefined),
  password: sampleText,
}

type TextLimits = { readonly min: number; readonly max: number; readonly pattern: string }

/** Deterministic: always the first character that a pattern allows. */
function sampleText({ min, max, pattern }: TextLimits, sample: string): string | undefined {
  const plain = sample.padEnd(min, '.').slice(0, max || undefined)
  if (pattern === '') return plain
  const allowed = compilePattern(pattern)
  const random = (alphabet: string, length: number) => alphabet.slice(0, 1).repeat(length)
  const made = [4, min, 1].map((openEnd) => generated(pattern, openEnd, random))
  return [plain, ...made].find(
    (text) =>
      text !== undefined && allowed.test(text) && text.length >= min && (max === 0 || text.length <= max),
  )
}

function generated(pattern: string, openEnd: number, random: Environment['random']): string | undefined {
  try {
    return compileGenerator(pattern, openEnd)({ random })
  } catch {
    // A pattern may use syntax that the generator does not support.
    return undefined
  }
}

/** A body that creates a record. Undefined if a required field has no JSON value, such as a file. */
export function exampleBodyOfCreate(table: DescribedTable): Values | undefined {
  const values = { ...(table.type === 'auth' ? account(table) : {}), ...fieldValues(table) }
  const isWhole = table.fields.every(
    (field) => !mustBeSent(field) || field.hidden || field.name === 'id' || field.name in values,
  )
  return isWhole ? values : undefined
}

/** A body that updates a record: everything in the body for a new one, except credentials. */
export function exampleBodyOfUpdate(table: DescribedTable): Values {
  return fieldValues(table)
}

function fieldValues({ type, fields }: DescribedTable): Values {
  const known = type === 'auth' ? ['password', 'tokenKey', ...accountFields] : []
  return Object.fromEntries(
    fields
      .filter(({ name, hidden }) => name !== 'id' && !hidden && !known.includes(name))
      .map((field) => [field.name, exampleOf(field)])
      .filter(([, value]) => value !== undefined),
  )
}

function exampleOf({ type, definition }: Field): unknown {
  const { sample } = fieldTypes[type]
  const example = examples[type] as Example<FieldType> | undefined
  return example === undefined ? sample : example(definition as never, String(sample))
}

function account({ fields }: DescribedTable): Values {
  const [email, password] = ['email', 'password'].map((name) => fields.find((field) => field.name === name))
  const secret = password && exampleOf(password)
  return {
    ...(email && { email: exampleOf(email) }),
    ...(secret !== undefined && { password: secret, passwordConfirm: secret }),
  }
}
