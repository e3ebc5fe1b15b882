/**
 * Secrets of an auth table, one per kind of token. Definitions usually lack them, because exports leave them out.
 *
 * @module
 */

import type { TableDefinition } from '../../spec/table-definition.ts'
import { alphanumeric } from '../environment/alphanumeric.ts'
import type { Environment } from '../vocabulary.ts'

const kinds = [
  'authToken',
  'passwordResetToken',
  'emailChangeToken',
  'verificationToken',
  'fileToken',
] as const

/** The definition with a secret for every kind of token. Definitions of base tables are returned unchanged. */
export function withSecrets(definition: TableDefinition, environment: Environment): TableDefinition {
  if (definition.type !== 'auth') return definition
  const complete = { ...definition }
  for (const kind of kinds) {
    complete[kind] = {
      ...definition[kind],
      secret: definition[kind]?.secret || environment.random(alphanumeric, 50),
    }
  }
  return complete
}
