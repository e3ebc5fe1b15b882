/**
 * Reads a profile file, from `--write-profile` or written by hand.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { nearest } from '../../spec/nearest.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import { ConfigurationError } from '../errors.ts'
import { parseYaml } from '../support/parse-yaml.ts'
import type { Claim } from '../vocabulary/target.ts'
import { checkBinding, unknownKey } from './target-file.ts'

const keys = ['profile', 'extends', 'binding', 'follows', 'differs']

/** @throws ConfigurationError for a file that is not a profile, or names unknown ids */
export function readProfile(file: string): Claim {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigurationError(
      `the profile cannot be read (${(error as NodeJS.ErrnoException).code})`,
      file,
      'use standard, recommended, none, or a file written by --write-profile',
    )
  }
  const given = (parseYaml('the profile', file, text) ?? {}) as Record<string, unknown>
  const { profile, follows, binding = {} } = given
  if (
    typeof profile !== 'string' ||
    !Array.isArray(follows) ||
    !follows.every((id) => typeof id === 'string')
  ) {
    throw new ConfigurationError(
      'the file is not a profile: it needs "profile" and "follows"',
      file,
      '--write-profile FILE writes one',
    )
  }
  for (const key of Object.keys(given)) if (!keys.includes(key)) throw unknownKey(key, key, keys, file)
  for (const id of follows) if (!loadRequirements().has(id)) throw unknownRequirement(id, file)
  checkBinding(binding, file)
  return { profile, follows, binding }
}

/** It would never be checked, unnoticed. */
function unknownRequirement(id: string, file: string): ConfigurationError {
  const near = nearest(id, loadRequirements().keys())
  return new ConfigurationError(
    `unknown requirement "${id}"`,
    `${file}, follows`,
    near === undefined ? '`conformance list --only profile` shows all' : `did you mean "${near}"?`,
  )
}
