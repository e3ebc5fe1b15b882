/**
 * The requirements and the binding that a run works with.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readData } from '../spec/read-data.ts'
import type { Basis, Binding, Level, Requirement, Source } from '../spec/vocabulary.ts'

let requirements: ReadonlyMap<string, Requirement> | undefined

/** All requirements by id, in the order of their files. */
export function allRequirements(): ReadonlyMap<string, Requirement> {
  requirements ??= provisional()
  return requirements
}

/** Every binding key with the standard profile's value. */
export function profileBinding(): Binding {
  return { prefix: '/api/v1' }
}

function provisional(): Map<string, Requirement> {
  const out = new Map<string, Requirement>()
  const folder = fileURLToPath(new URL('../spec/profile/', import.meta.url))
  const files = readdirSync(folder).map((file) => `profile/${file.replace(/\.(yaml|json)$/, '')}`)
  try {
    readData('requirements')
    files.unshift('requirements')
  } catch {}
  for (const file of files) {
    const { requirements: rows = [] } = (readData(file) ?? {}) as { requirements?: Record<string, unknown>[] }
    for (const row of rows) {
      const list = <T>(value: unknown): T[] =>
        (value === undefined ? [] : Array.isArray(value) ? value : [value]) as T[]
      const statement = String(row.statement)
      const level = (/\b(MUST|SHOULD|MAY)\b/.exec(statement)?.[1] ?? 'MUST') as Level
      out.set(String(row.id), {
        id: String(row.id),
        statement,
        level,
        basis: (row.basis ?? (file === 'requirements' ? 'stated' : 'profile')) as Basis,
        sources: list<Source>(row.source),
        ...(row.gap === undefined ? {} : { gap: String(row.gap) }),
        operations: list(row.operation),
        needs: list(row.needs),
        after: list(row.after),
      })
    }
  }
  return out
}
