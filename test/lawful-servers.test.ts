/**
 * No complete server of another mind is accused: all checks of the document against each of `variations/servers`, with
 * nothing claimed.
 */

import { describe, expect, it } from 'vitest'
import { lawfulServers } from '../variations/servers/registry.ts'
import { runServers } from '../variations/servers/run-servers.ts'

type Accusations = Record<string, readonly string[]>

/**
 * Requirements that a server is said to break today because a check reads more into the document than it says, by
 * reason. What is mended is taken out: an entry that does not fail any more fails the test.
 */
const knownAccusations: Record<string, Accusations> = {
  documents: {
    'a method is sought under the words of the document and the profile': ['auth-methods.agrees-otp'],
  },
  closed: {
    'a provider may sign in accounts that exist already, and nobody new': [
      'oauth2.sign-in',
      'oauth2.code-wrong',
      'oauth2.verifier-wrong',
      'oauth2.provider-unknown',
      'auth-methods.agrees-oauth2',
    ],
  },
}

describe.each(lawfulServers.map(({ name }) => name))('the server "%s"', (name) => {
  it('is accused of nothing but what is known, and ends no run', async () => {
    const [row] = await runServers({ filter: name })
    expect(row?.errors).toEqual([])
    const accused = (row?.findings ?? []).filter(({ status }) => status === 'fail' || status === 'warn')
    const known = Object.values(knownAccusations[name] ?? {}).flat()
    expect(
      accused
        .filter(({ requirement }) => !known.includes(requirement))
        .map(({ requirement, message }) => `${requirement}: ${message}`),
    ).toEqual([])
    const stale = known.filter((id) => accused.every(({ requirement }) => requirement !== id))
    expect(stale, 'entries of knownAccusations that are mended: take them out').toEqual([])
  }, 300_000)
})
