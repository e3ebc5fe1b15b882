import type { OAuth2ProviderDefinition } from '../../../spec/table-definition.ts'

/** PKCE is on unless the configuration turns it off. */
export function usesPkce(provider: OAuth2ProviderDefinition): boolean {
  return provider.pkce ?? true
}
