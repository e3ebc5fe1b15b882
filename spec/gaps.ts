/**
 * What the document leaves open, and the names (bindings) that the standard profile defines for it.
 *
 * @module
 */

import { readData } from './read-data.ts'
import { optionalText, requiredText, rowsUnder, SpecError, sources, toRow } from './row.ts'
import type { Binding, Gap } from './vocabulary.ts'

const KEYS = ['key', 'source', 'question', 'answer', 'why', 'untested', 'bindings'] as const
const FILE = 'spec/gaps.yaml'

let gaps: ReadonlyMap<string, Gap> | undefined
let binding: Binding | undefined

/** All gaps by key, in the order of their file. Loaded once. */
export function loadGaps(): ReadonlyMap<string, Gap> {
  gaps ??= indexGaps(readData('gaps'))
  return gaps
}

/** Every binding key with the standard profile's value. A target may override these keys and no others. */
export function standardBinding(): Binding {
  binding ??= Object.freeze(
    Object.assign({}, ...[...loadGaps().values()].map((gap) => gap.bindings)) as Record<string, string>,
  )
  return binding
}

/**
 * @param content of `gaps.yaml`
 * @throws SpecError with file, key and fact
 */
export function indexGaps(content: unknown): Map<string, Gap> {
  const found = new Map<string, Gap>()
  const bound = new Map<string, string>()
  for (const [at, value] of rowsUnder(content, 'gaps', FILE).entries()) {
    const gap = toGap(value, `${FILE}, row ${at + 1}`)
    const place = `${FILE}, ${gap.key}`
    if (found.has(gap.key)) throw new SpecError(place, 'there are two gaps of this key.')
    for (const name of Object.keys(gap.bindings ?? {})) {
      const other = bound.get(name)
      if (other !== undefined) throw new SpecError(place, `"${name}" is a binding of "${other}" already.`)
      bound.set(name, gap.key)
    }
    found.set(gap.key, gap)
  }
  return found
}

function toGap(value: unknown, position: string): Gap {
  const row = toRow(value, position, 'key', KEYS)
  const untested = optionalText(row, 'untested')
  const bindings = toBindings(row.cells.bindings, row.place)
  const from = sources(row)
  if (from.length === 0)
    throw new SpecError(row.place, '"source" is missing: where does the document leave it open?')
  return {
    key: requiredText(row, 'key'),
    sources: from,
    question: requiredText(row, 'question'),
    answer: requiredText(row, 'answer'),
    why: requiredText(row, 'why'),
    untested,
    bindings,
  }
}

function toBindings(value: unknown, place: string): Record<string, string> | undefined {
  if (value === undefined) return undefined
  const entries = Object.entries(value as Record<string, unknown>)
  for (const [name, word] of entries) {
    if (typeof word !== 'string') {
      throw new SpecError(place, `the binding "${name}" is ${JSON.stringify(word)}; it must be a string.`)
    }
  }
  return Object.fromEntries(entries) as Record<string, string>
}
