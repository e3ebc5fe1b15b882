/**
 * Schemas as generators of code want them: without our extensions, and with one object instead of a composition
 * whose parts each say something about it.
 *
 * @module
 */

import { isObject } from '../exchange/json-object.ts'
import type { DescriptionPart } from './vocabulary.ts'

/** Conditions say nothing about a type. Without them a schema accepts more, and never less. */
const conditions: readonly string[] = ['if', 'then', 'else']
/** Values, which are not schemas. */
const values: readonly string[] = ['const', 'enum', 'default', 'example', 'examples', 'value']
const bounds: readonly string[] = ['type', 'minimum', 'const', 'description']

/** A copy without extensions, conditions and exchanges, and with the simplest form of each composition. */
export function plainSchemas<T>(description: T): T {
  return plain(description) as T
}

function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (!isObject(node)) return node
  const entries = Object.entries(node).filter(
    ([key, value]) => !key.startsWith('x-') && !conditions.includes(key) && !isExchange(key, value),
  )
  const parts = entries.map(([key, value]): [string, unknown] => {
    if (values.includes(key)) return [key, value]
    // Keys of a record may be called like a keyword.
    if (key === 'properties' && isObject(value)) return [key, mapped(value, plain)]
    return [key, plain(value)]
  })
  return withoutChoice(withoutStubs(withPlainType(Object.fromEntries(parts))))
}

/** Named examples are requests and responses about our own tables. Examples in a list are values, and are kept. */
function isExchange(key: string, value: unknown): boolean {
  return key === 'example' || (key === 'examples' && !Array.isArray(value))
}

/** The target of a reference already has a type. Numbers have the precision of JavaScript numbers. */
function withPlainType(part: DescriptionPart): DescriptionPart {
  const { type, ...others } = part
  if ('$ref' in part) return others
  return type === 'number' && part.format === undefined ? { type, format: 'double', ...others } : part
}

/** A copy of a part, with a function applied to each of its values. */
export function mapped(part: DescriptionPart, change: (value: unknown) => unknown): DescriptionPart {
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, change(value)]))
}

/** `{ type, allOf: [{ maxLength }] }` is one schema. A reference stays in its `allOf`. */
function withoutStubs(part: DescriptionPart): DescriptionPart {
  const { allOf, ...own } = part
  if (!Array.isArray(allOf)) return part
  const left: DescriptionPart[] = []
  let merged: DescriptionPart = own
  for (const each of allOf as DescriptionPart[]) {
    const clashes = '$ref' in each || Object.keys(each).some((key) => key in merged)
    if (clashes) left.push(each)
    else merged = { ...merged, ...each }
  }
  return left.length === 0 ? merged : { ...merged, allOf: left }
}

/** Removes duplicate alternatives, and merges a range of numbers with a single number below it. */
function withoutChoice(part: DescriptionPart): DescriptionPart {
  const { anyOf, ...own } = part
  if (!Array.isArray(anyOf)) return part
  const alternatives = distinct(anyOf as DescriptionPart[])
  const [first, ...others] = alternatives
  if (first === undefined) return own
  if (others.length === 0) return { ...first, ...own }
  if (!isNumber(first) || !alternatives.every((each) => isNumber(each) && each.type === first.type))
    return { ...own, anyOf: alternatives }
  const least = Math.min(...alternatives.map(({ minimum, const: only }) => Number(minimum ?? only)))
  return { type: first.type, minimum: least, ...own }
}

function isNumber(part: DescriptionPart): boolean {
  const { type, minimum, const: only } = part
  return (
    (type === 'integer' || type === 'number') &&
    Object.keys(part).every((key) => bounds.includes(key)) &&
    (minimum !== undefined || only !== undefined)
  )
}

function distinct(parts: readonly DescriptionPart[]): DescriptionPart[] {
  const seen = new Map(parts.map((part) => [JSON.stringify(part), part]))
  return [...seen.values()]
}

/**
 * The object that a schema and all that it includes by `allOf` describe together.
 *
 * @param schemas the components that references lead to
 */
export function wholeObject(
  schema: DescriptionPart,
  schemas: Readonly<Record<string, DescriptionPart>>,
): DescriptionPart {
  const { allOf = [], $ref, ...own } = schema
  const included = [...($ref === undefined ? [] : [{ $ref }]), ...(allOf as DescriptionPart[])].map((each) =>
    typeof each.$ref === 'string'
      ? wholeObject(schemas[each.$ref.slice('#/components/schemas/'.length)] ?? {}, schemas)
      : each,
  )
  const all = [...included, own]
  return {
    ...Object.assign({}, ...all),
    required: [...new Set(all.flatMap(({ required = [] }) => required as string[]))],
    properties: Object.assign({}, ...all.map(({ properties = {} }) => properties)),
  }
}
