/**
 * All requirements, of the document and of the standard profile, by id.
 *
 * In a checkout they are read from `requirements.yaml` and `profile/*.yaml`; in the built package from
 * `requirements.json`, which the build generates from them.
 *
 * @module
 */

import { existsSync, readdirSync } from 'node:fs'
import { capabilityOperations, existenceOf } from './capability-operations.ts'
import { loadGaps } from './gaps.ts'
import { didYouMean } from './nearest.ts'
import { parseExclusion, parseRequirement } from './parse-requirement.ts'
import { readData } from './read-data.ts'
import { rowsUnder, SpecError } from './row.ts'
import type { Exclusion, Requirement } from './vocabulary.ts'

/** One requirement file, parsed as YAML but not validated. */
export interface RequirementFile {
  /** For messages: `spec/profile/batch.yaml`. */
  name: string
  content: unknown
  /** Its rows may omit the basis. */
  profile: boolean
}

export interface RequirementIndex {
  /** In the order of the files and their rows. */
  requirements: ReadonlyMap<string, Requirement>
  exclusions: readonly Exclusion[]
}

let index: RequirementIndex | undefined

/** All requirements by id: those of the document first, then the profile's by file. Loaded once. */
export function loadRequirements(): ReadonlyMap<string, Requirement> {
  return loaded().requirements
}

/** Sentences and rows of the document that no test can observe. */
export function loadExclusions(): readonly Exclusion[] {
  return loaded().exclusions
}

/** @throws SpecError if the id does not exist, with the nearest one */
export function requirement(id: string): Requirement {
  const found = loadRequirements().get(id)
  if (found) return found
  throw new SpecError('spec', `there is no requirement "${id}".${didYouMean(id, loadRequirements().keys())}`)
}

/** Where a requirement comes from, as reports cite it: `4.1`, `2.4, 4.1`, or the key of the gap. */
export function sourceOf({ sources, gap }: Requirement): string {
  return gap ?? [...new Set(sources.map(({ section }) => section))].join(', ')
}

/**
 * Parses requirement files and checks the references between them.
 *
 * @param gaps keys that exist
 * @throws SpecError for an unknown or repeated id, an unknown gap, or requirements that depend on each other
 */
export function indexRequirements(
  files: readonly RequirementFile[],
  gaps: ReadonlyMap<string, unknown>,
): RequirementIndex {
  const requirements = new Map<string, Requirement>()
  const exclusions: Exclusion[] = []
  const places = new Map<string, string>()
  for (const { name, content, profile } of files) {
    for (const [at, row] of rowsUnder(content, 'requirements', name).entries()) {
      const parsed = parseRequirement(row, `${name}, row ${at + 1}`, profile ? 'profile' : undefined)
      const elsewhere = places.get(parsed.id)
      if (elsewhere !== undefined) {
        throw new SpecError(`${name}, ${parsed.id}`, `the id is already used in ${elsewhere}.`)
      }
      requirements.set(parsed.id, parsed)
      places.set(parsed.id, name)
    }
    for (const [at, row] of rowsUnder(content, 'exclusions', name).entries()) {
      exclusions.push(parseExclusion(row, `${name}, exclusion ${at + 1}`))
    }
  }
  for (const [id, { gap, after }] of requirements) {
    const place = `${places.get(id)}, ${id}`
    if (gap !== undefined && !gaps.has(gap)) {
      throw new SpecError(place, `there is no gap "${gap}" in spec/gaps.yaml.${didYouMean(gap, gaps.keys())}`)
    }
    for (const other of after) {
      if (requirements.has(other)) continue
      throw new SpecError(
        place,
        `it comes after "${other}", which does not exist.${didYouMean(other, requirements.keys())}`,
      )
    }
  }
  awaitOperations(requirements)
  rejectCycles(requirements, places)
  return { requirements, exclusions }
}

/** The document's requirements for a capability depend on those that its operations exist: one cause, one failure. */
function awaitOperations(requirements: Map<string, Requirement>): void {
  for (const [id, requirement] of requirements) {
    if (requirement.basis === 'profile') continue
    const operations = requirement.needs.flatMap(
      (need) => capabilityOperations[need.replace(/^capability:/, '')] ?? [],
    )
    const exist = operations.map(existenceOf).filter((each) => requirements.has(each))
    const after = [...new Set([...exist, ...requirement.after])]
    if (after.length > requirement.after.length) requirements.set(id, { ...requirement, after })
  }
}

/** Requirements that depend on each other would always be blocked. */
function rejectCycles(
  requirements: ReadonlyMap<string, Requirement>,
  places: ReadonlyMap<string, string>,
): void {
  const done = new Set<string>()
  const visit = (id: string, path: readonly string[]): void => {
    if (done.has(id)) return
    const start = path.indexOf(id)
    if (start >= 0) {
      const circle = [...path.slice(start), id].join(' → ')
      throw new SpecError(`${places.get(id)}, ${id}`, `"after" leads back to it: ${circle}.`)
    }
    for (const next of requirements.get(id)?.after ?? []) visit(next, [...path, id])
    done.add(id)
  }
  for (const id of requirements.keys()) visit(id, [])
}

function loaded(): RequirementIndex {
  index ??= indexRequirements(readFiles(), loadGaps())
  return index
}

function readFiles(): RequirementFile[] {
  const document = { name: 'spec/requirements.yaml', content: readData('requirements'), profile: false }
  if (existsSync(new URL('./requirements.json', import.meta.url))) return [document]
  const folder = new URL('./profile/', import.meta.url)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.yaml')) : []
  return [
    document,
    ...names.sort().map((name) => ({
      name: `spec/profile/${name}`,
      content: readData(`profile/${name.replace(/\.yaml$/, '')}`),
      profile: true,
    })),
  ]
}
