/**
 * The providers as auth-methods lists them: the authorization URL, and a PKCE pair created for this request
 * (contract-auth section 2). The server stores nothing between this request and the sign-in.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import type { OAuth2ProviderDefinition } from '../../../spec/table-definition.ts'
import { alphanumeric } from '../../environment/alphanumeric.ts'
import type { Environment } from '../../vocabulary.ts'
import { knownProvider, usesPkce } from './known-providers.ts'

const STATE_LENGTH = 30
const VERIFIER_LENGTH = 43

export interface ListedProvider {
  name: string
  displayName: string
  logo: string
  state: string
  authURL: string
  authUrl: string
  codeVerifier: string
  codeChallenge: string
  codeChallengeMethod: '' | 'S256'
}

/** One provider with a new state and, with PKCE, a new verifier. */
export function listedProvider(provider: OAuth2ProviderDefinition, environment: Environment): ListedProvider {
  const state = environment.random(alphanumeric, STATE_LENGTH)
  const codeVerifier = usesPkce(provider) ? environment.random(alphanumeric, VERIFIER_LENGTH) : ''
  const codeChallenge = codeVerifier && createHash('sha256').update(codeVerifier).digest('base64url')
  const codeChallengeMethod = codeVerifier ? 'S256' : ''

  const { displayName, authURL: address, scopes, parameters } = knownProvider(provider.name)
  const base = provider.authURL || address
  const query = new URLSearchParams(parameters)
  query.set('client_id', provider.clientId)
  query.set('response_type', 'code')
  if (scopes.length > 0) query.set('scope', scopes.join(' '))
  query.set('state', state)
  if (codeChallenge) {
    query.set('code_challenge', codeChallenge)
    query.set('code_challenge_method', codeChallengeMethod)
  }
  query.sort()
  // The client appends its own redirect URL: the open end of the URL is part of the contract.
  const authURL = `${base}${base.includes('?') ? '&' : '?'}${query}&redirect_uri=`
  return {
    name: provider.name,
    displayName: provider.displayName || displayName,
    logo: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/></svg>',
    state,
    authURL,
    authUrl: authURL,
    codeVerifier,
    codeChallenge,
    codeChallengeMethod,
  }
}
