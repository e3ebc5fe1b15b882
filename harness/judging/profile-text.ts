/**
 * An observation as a profile file. Pure.
 *
 * @module
 */

import { stringify } from 'yaml'
import { visible } from '../../exchange/visible.ts'
import type { GapAnswer } from './observed.ts'

/** What the target follows, and its own answers beside it. */
export function profileText(name: string, answers: readonly GapAnswer[]): string {
  return [
    '# What a run observed, as a profile to claim from then on: `--profile FILE`, or `profile` in a target file.',
    '# `follows` counts as pass or fail; `differs` is what the target answered in its own way, for people to read.',
    stringify({
      profile: name,
      extends: 'standard',
      follows: answers.flatMap(({ same }) => same).sort(),
      differs: Object.fromEntries(
        answers.flatMap(({ other }) =>
          other.map(({ requirement, observed }) => [requirement, visible(observed)]),
        ),
      ),
    }),
  ].join('\n')
}
