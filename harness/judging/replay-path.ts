/**
 * `--path`: where a counterexample is among the examples of a check. Pure.
 *
 * @module
 */

import { ConfigurationError } from '../errors.ts'

export interface ReplayPath {
  property: number
  path: string
  commands?: string
}

/**
 * Parses and formats `0/12:3:1@BA:C`. The default of the index is 0.
 *
 * @throws ConfigurationError if the string is not such a path: otherwise everything would run, and the replay would
 *   seem to pass
 */
export function parsePath(text: string): ReplayPath {
  const parts = /^(?:(\d+)\/)?([\d:]*)(?:@(.+))?$/.exec(text)
  if (parts === null) throw wrongPath('is not the path of a counterexample', text)
  const [, property = '0', path = '', commands] = parts
  return { property: Number(property), path, commands }
}

/** The error for a path that does not exist. */
export function wrongPath(fact: string, path: string): ConfigurationError {
  return new ConfigurationError(
    `"${path}" ${fact}`,
    `--path ${path}`,
    'copy --path, --only and --seed from the "replay" line of a finding',
  )
}

export function formatPath({ property, path, commands }: ReplayPath): string {
  return `${property === 0 ? '' : `${property}/`}${path}${commands === undefined ? '' : `@${commands}`}`
}
