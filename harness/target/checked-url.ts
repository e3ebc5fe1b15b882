/**
 * The address of a server as it is given with `--base-url`.
 *
 * @module
 */

import { ConfigurationError } from '../errors.ts'

/** @returns it without a slash at the end, query and fragment. @throws ConfigurationError that shows no password */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ConfigurationError(
      `"${text.replace(/^([a-z]+:\/\/)?[\s\S]*@/i, '$1…@')}" is not an http or https URL`,
      '--base-url',
      'give the part before the prefix, http://127.0.0.1:8090 for example',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      'the base URL contains credentials',
      '--base-url',
      'give credentials by environment variable or target file',
    )
  }
  return text.replace(/[?#].*$/, '').replace(/\/+$/, '')
}
