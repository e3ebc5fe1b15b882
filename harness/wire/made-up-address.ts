import type { Wire } from '../vocabulary/wire.ts'

/** Reserved for examples (RFC 2606): no one receives what a server sends there. */
const exampleDomain = 'example.com'

/**
 * An email address for an account that the run creates. A server may accept only the domains that it knows, so the
 * binding `signUp.domain` can name another one than `example.com`.
 */
export function madeUpAddress({ binding }: Pick<Wire, 'binding'>, name: string): string {
  return `${name}@${binding['signUp.domain'] ?? exampleDomain}`
}
