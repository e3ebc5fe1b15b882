/**
 * The profile that a target claims: the standard one, none, or a file that `--write-profile` wrote.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { nearest } from '../../spec/nearest.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import { ConfigurationError } from '../errors.ts'
import type { Target } from '../vocabulary/target.ts'
import { checkBinding, unknownKey } from './target-file.ts'

/** What a claim makes of a target. Without a name nothing is claimed. */
type Claim = Partial<Pick<Target, 'profile' | 'follows' | 'binding'>>

const profiles = ['standard', 'none']
const keys = ['profile', 'extends', 'binding', 'follows', 'differs']

/**
 * @param place of the name, for messages
 * @throws ConfigurationError for a name that means nothing, and for a file that is no profile
 */
export function claimOf(profile: string, place: string): Claim {
  if (profile === 'none') return {}
  if (profiles.includes(profile)) return { profile }
  if (/[\\/.]/.test(profile)) return readProfile(profile)
  const near = nearest(profile, profiles)
  throw new ConfigurationError(
    `there is no profile "${profile}"`,
    place,
    near === undefined ? `use one of ${profiles.join(', ')}` : `did you mean ${near}?`,
  )
}

/**
 * The target with its claim.
 *
 * @param claim of the option, which wins over what the target itself says
 * @throws ConfigurationError
 */
export function claiming(target: Target, claim: Claim | undefined, place: string): Target {
  const { profile, follows, ...rest } = target
  if (claim === undefined && (profile === undefined || follows !== undefined)) return target
  const { binding, ...named } = claim ?? claimOf(profile ?? '', `${place}, profile`)
  return { ...rest, ...named, binding: { ...target.binding, ...binding } }
}

function readProfile(file: string): Claim {
  let content: unknown
  try {
    content = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigurationError(
      `the profile cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
      file,
      'name the standard profile, none, or a file that --write-profile wrote',
    )
  }
  const given = (content ?? {}) as Record<string, unknown>
  const { profile, follows, binding = {} } = given
  if (
    typeof profile !== 'string' ||
    !Array.isArray(follows) ||
    !follows.every((id) => typeof id === 'string')
  ) {
    throw new ConfigurationError(
      'the file is no profile: it has no "profile" and "follows"',
      file,
      '--write-profile FILE writes one',
    )
  }
  for (const key of Object.keys(given)) if (!keys.includes(key)) throw unknownKey(key, key, keys, file)
  for (const id of follows) if (!loadRequirements().has(id)) throw unknownRequirement(id, file)
  checkBinding(binding, file)
  return { profile, follows, binding }
}

/** It would never be judged, and nobody would notice. */
function unknownRequirement(id: string, file: string): ConfigurationError {
  const near = nearest(id, loadRequirements().keys())
  return new ConfigurationError(
    `unknown requirement "${id}"`,
    `${file}, follows`,
    near === undefined ? '`conformance list --only profile` names all' : `did you mean "${near}"?`,
  )
}
