/**
 * For servers that follow the document and not the profile: the option `documentOnly` describes only what it states.
 *
 * @module
 */

import { isObject } from '../exchange/json-object.ts'
import type { DescriptionPart } from './vocabulary.ts'

type Root = Record<string, unknown>

/**
 * What the document alone says: a copy of a description without the parts that the profile adds, narrows or fills in
 * (`x-basis`, `x-profile`, `x-left-open`; see the head of `spec/openapi.yaml`).
 */
export function documentOnly<T extends object>(description: T): T {
  const root = description as Root
  return keepStated(description, root) as T
}

function keepStated(node: unknown, root: Root): unknown {
  if (Array.isArray(node))
    return node.filter((each) => !comesFromProfile(each, root)).map((each) => keepStated(each, root))
  if (!isObject(node)) return node
  const narrowed = (node['x-profile'] ?? []) as readonly string[]
  const kept: DescriptionPart = {}
  for (const [key, value] of Object.entries(node)) {
    if (narrowed.includes(key) || key === 'x-profile' || comesFromProfile(value, root)) continue
    kept[key] = typeof value === 'string' ? withoutProfile(value) : keepStated(value, root)
  }
  return withoutLostKeys(kept, node)
}

/** Without the sentences of a description that are about the profile. */
function withoutProfile(text: string): string {
  if (!/\bprofile\b/i.test(text)) return text
  const sentences = text.split(/(?<=[.!?])\s+/)
  return sentences.filter((sentence) => !/\bprofile\b/i.test(sentence)).join(' ')
}

/** An object no longer requires a property that was taken out. */
function withoutLostKeys(kept: DescriptionPart, { properties }: DescriptionPart): DescriptionPart {
  if (!Array.isArray(kept.required) || !isObject(properties)) return kept
  const left = isObject(kept.properties) ? kept.properties : {}
  const required = kept.required.filter((name) => !(name in properties) || name in left)
  if (required.length > 0) return { ...kept, required }
  const { required: _, ...others } = kept
  return others
}

function comesFromProfile(value: unknown, root: Root): boolean {
  if (!isObject(value)) return false
  if (value['x-basis'] !== undefined) return value['x-basis'] === 'profile'
  if (value['x-left-open'] !== undefined) return true
  return typeof value.$ref === 'string' && comesFromProfile(resolved(value.$ref, root), root)
}

function resolved(reference: string, root: Root): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), root)
}
