/**
 * The options of a run that name its target, as they stand on a command line: part of every replay command. Without
 * them a replay would test the embedded reference, and pass.
 *
 * @module
 */

import { quoted } from '../exchange/curl.ts'
import { isVariable } from '../exchange/secrets/secret-names.ts'
import type { TargetOptions } from './vocabulary/target.ts'

export interface Invocation extends TargetOptions {
  timeout?: number
  runs?: number
  headers?: Readonly<Record<string, string>>
}

/** `--base-url http://127.0.0.1:8090 --profile standard`; empty for the embedded reference. */
export function invocationOf(options: Invocation): string {
  const words: string[] = []
  const add = (flag: string, value: string | number | undefined) => {
    if (value !== undefined) words.push(flag, quoted(String(value)))
  }
  add('--base-url', options.baseUrl)
  add('--target', typeof options.target === 'string' ? options.target : undefined)
  add('--profile', options.profile)
  add('--prefix', options.prefix)
  // Never in double quotes: the command itself looks up what a variable holds.
  for (const [name, value] of Object.entries(options.headers ?? {}))
    words.push('--header', isVariable(value) ? `'${name}:${value}'` : quoted(`${name}:${value}`))
  add('--timeout', options.timeout)
  add('--runs', options.runs)
  if (options.readOnly === true) words.push('--read-only')
  if (options.allowRemoteWrites === true) words.push('--allow-remote-writes')
  return words.join(' ')
}
