import type { OAuth2ProviderDefinition, TableDefinition } from '../../spec/table-definition.ts'

/** The address of an identity provider, and the client credentials of the server. */
export interface ProviderFacts {
  issuer: string
  clientId: string
  clientSecret: string
  authURL: string
  tokenURL: string
  userInfoURL: string
  jwksURL: string
}

/**
 * The tables of the suite with the provider configured where they mention OAuth 2.0, be it on or off: as `oidc`, whose
 * account comes from its user info, and as `oidc2`, whose account comes from the signed id token.
 */
export function withProvider(
  definitions: readonly TableDefinition[],
  { issuer, clientId, clientSecret, authURL, tokenURL, userInfoURL, jwksURL }: ProviderFacts,
): TableDefinition[] {
  const client = { clientId, clientSecret, authURL, tokenURL, pkce: true }
  const providers: OAuth2ProviderDefinition[] = [
    { name: 'oidc', displayName: 'Provider', ...client, userInfoURL },
    {
      name: 'oidc2',
      displayName: 'Signed',
      ...client,
      userInfoURL: '',
      extra: { jwksURL, issuers: [issuer] },
    },
  ]
  return definitions.map((definition) =>
    definition.oauth2 === undefined
      ? definition
      : { ...definition, oauth2: { ...definition.oauth2, providers } },
  )
}
