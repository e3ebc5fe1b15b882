/**
 * The profile that a target claims: the standard one, its recommended part, none, or a file that `--write-profile` wrote.
 *
 * @module
 */

import { nearest } from '../../spec/nearest.ts'
import { ConfigurationError } from '../errors.ts'
import type { Claim, Target } from '../vocabulary/target.ts'

const profiles = ['standard', 'recommended', 'none']

/**
 * @param place of the name, for messages
 * @throws ConfigurationError for an unknown name, and for a file that is not a profile
 */
export async function claimOf(profile: string, place: string): Promise<Claim> {
  if (profile === 'none') return {}
  if (profile === 'recommended') return { profile, follows: await recommended() }
  if (profiles.includes(profile)) return { profile }
  if (/[\\/.]/.test(profile)) return (await import('./read-profile.ts')).readProfile(profile)
  const near = nearest(profile, profiles)
  throw new ConfigurationError(
    `unknown profile "${profile}"`,
    place,
    near === undefined ? `use one of ${profiles.join(', ')}` : `did you mean ${near}?`,
  )
}

/** The recommended requirements: what a careful server should do, without what only the living family does. */
async function recommended(): Promise<string[]> {
  const { loadRequirements } = await import('../../spec/requirements.ts')
  return [...loadRequirements().values()].filter(({ grade }) => grade === 'recommended').map(({ id }) => id)
}

/**
 * The target with its claim.
 *
 * @param claim of the option, which takes precedence over the target's own
 * @throws ConfigurationError
 */
export async function claiming(target: Target, claim: Claim | undefined, place: string): Promise<Target> {
  const { profile, follows, ...rest } = target
  if (claim === undefined && (profile === undefined || follows !== undefined)) return target
  const { binding, ...named } = claim ?? (await claimOf(profile ?? '', `${place}, profile`))
  return { ...rest, ...named, binding: { ...target.binding, ...binding } }
}
