/**
 * The options of a run that name its target, formatted for the command line: part of every replay command. Without them
 * a replay would test the embedded reference, and pass.
 *
 * @module
 */

import { shellQuoted } from '../../exchange/curl.ts'
import { isVariable } from '../../exchange/secrets/secret-names.ts'
import type { RunOptions } from '../generated/run-options.ts'
import { declaredOptions } from '../run-options.ts'

/** `--base-url http://127.0.0.1:8090 --profile standard`; empty for the embedded reference. */
export function invocationOf(options: RunOptions): string {
  const words: string[] = []
  for (const [name, { replayed, flags = '' }] of declaredOptions()) {
    const [flag = ''] = flags.split(' ')
    const value: unknown = replayed === true ? options[name] : undefined
    if (value === true) words.push(flag)
    else if (name === 'headers') words.push(...headerWords(flag, options.headers))
    // A target that a program passes cannot be named on a command line.
    else if (typeof value === 'string' || typeof value === 'number')
      words.push(flag, shellQuoted(String(value)))
  }
  return words.join(' ')
}

/** Never in double quotes: the command itself reads the variable. */
function headerWords(flag: string, headers: RunOptions['headers'] = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [
    flag,
    isVariable(value) ? `'${name}:${value}'` : shellQuoted(`${name}:${value}`),
  ])
}
