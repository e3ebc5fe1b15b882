/**
 * The profile that a target claims: the standard one, none, or a file that `--write-profile` wrote.
 *
 * @module
 */

import { nearest } from '../../spec/nearest.ts'
import { ConfigurationError } from '../errors.ts'
import type { Target } from '../vocabulary/target.ts'

/** What a claim makes of a target. Without a name nothing is claimed. */
export type Claim = Partial<Pick<Target, 'profile' | 'follows' | 'binding'>>

const profiles = ['standard', 'none']

/**
 * @param place of the name, for messages
 * @throws ConfigurationError for a name that means nothing, and for a file that is no profile
 */
export async function claimOf(profile: string, place: string): Promise<Claim> {
  if (profile === 'none') return {}
  if (profiles.includes(profile)) return { profile }
  if (/[\\/.]/.test(profile)) return (await import('./profile-file.ts')).readProfile(profile)
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
export async function claiming(target: Target, claim: Claim | undefined, place: string): Promise<Target> {
  const { profile, follows, ...rest } = target
  if (claim === undefined && (profile === undefined || follows !== undefined)) return target
  const { binding, ...named } = claim ?? (await claimOf(profile ?? '', `${place}, profile`))
  return { ...rest, ...named, binding: { ...target.binding, ...binding } }
}
