/**
 * Headers that a run sends with every request, for a gateway before the target. A value that is the name of a variable,
 * `$GATEWAY_KEY`, is read from the environment, and stands under that name in every report.
 *
 * @module
 */

import { ConfigurationError } from './errors.ts'

const variable = /^\$([A-Za-z_]\w*)$/

/** Whether a value names a variable of the environment. */
export function isVariable(value: string): boolean {
  return variable.test(value)
}

/**
 * The values as they go over the wire.
 *
 * @throws ConfigurationError when a variable is not set
 */
export function ownHeaders(
  headers: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const key = variable.exec(value)?.[1]
      if (key === undefined) return [name, value]
      const secret = environment[key]
      if (secret !== undefined && secret !== '') return [name, secret]
      throw new ConfigurationError(
        `the environment has no ${value}`,
        `--header ${name}:${value}`,
        `export ${key}, or give the header another value`,
      )
    }),
  )
}
