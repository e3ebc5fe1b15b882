/**
 * Secrets of an auth table, one for each kind of token. Definitions usually come without them: nobody exports them.
 *
 * @module
 */

import type { TableDefinition } from '../../spec/table-definition.ts'
import type { Environment } from '../vocabulary.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Default lifetimes in seconds (contract-auth 1.4). */
const durations = {
  authToken: 432_000,
  passwordResetToken: 1800,
  emailChangeToken: 1800,
  verificationToken: 86_400,
  fileToken: 180,
} as const

/** The definition with a secret and a lifetime for every kind of token; definitions of base tables as they are. */
export function withSecrets(definition: TableDefinition, environment: Environment): TableDefinition {
  if (definition.type !== 'auth') return definition
  const complete = { ...definition }
  for (const kind of Object.keys(durations) as (keyof typeof durations)[]) {
    complete[kind] = {
      duration: definition[kind]?.duration || durations[kind],
      secret: definition[kind]?.secret || environment.random(alphabet, 50),
    }
  }
  return complete
}
