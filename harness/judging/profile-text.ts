/**
 * Formats an observation as a profile file. Pure.
 *
 * @module
 */

import { stringify } from 'yaml'
import { visible } from '../../exchange/visible.ts'
import type { ObservedChoice } from './observed.ts'

/** The requirements that the target follows, and what it does instead of the others. */
export function profileText(name: string, choices: readonly ObservedChoice[]): string {
  return [
    '# The observed behavior of a target, as a profile that it can claim: `--profile FILE`, or `profile` in a target file.',
    '# Requirements in `follows` pass or fail. `differs` is for information: where the target differs from the standard profile.',
    stringify({
      profile: name,
      extends: 'standard',
      follows: choices.flatMap(({ same }) => same).sort(),
      differs: Object.fromEntries(
        choices.flatMap(({ other }) =>
          other.map(({ requirement, observed }) => [requirement, visible(observed)]),
        ),
      ),
    }),
  ].join('\n')
}
