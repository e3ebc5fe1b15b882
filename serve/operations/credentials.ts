/**
 * Tokens and API keys, without signing in.
 *
 * @module
 */

import { tokenKinds } from '../../reference/testing/actors.ts'
import { mintToken } from '../mint-token.ts'
import { controlOperation, type ServeOperation } from '../operation.ts'
import { InvalidControlRequest } from '../respond.ts'

export const credentialOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'POST',
    path: 'token',
    groups: ['control', 'console'],
    body: {
      table: { type: 'string', required: true, says: 'an auth table' },
      id: { type: 'string', required: 'email', says: 'the account' },
      email: { type: 'string', required: 'id', says: 'the account, by its address' },
      kind: {
        type: 'string',
        oneOf: tokenKinds,
        says: '`auth` (a session, the default), `static` (a session that cannot be refreshed), `file`, `verification`, `passwordReset` or `emailChange`',
      },
      duration: { type: 'integer', says: 'number of seconds; a negative number creates an expired token' },
      newEmail: { type: 'string', says: 'the new address, for `emailChange`' },
    },
    returns: '`{ token, kind, table, id }`',
    run: ({ serving, body }) => mintToken(serving.reference, body),
  }),
  controlOperation({
    method: 'GET',
    path: 'api-keys',
    groups: ['control', 'console'],
    returns: 'a list of keys, without their secrets',
    run: ({ serving }) => serving.reference.apiKeys.list(),
  }),
  controlOperation({
    method: 'POST',
    path: 'api-keys',
    groups: ['control', 'console'],
    body: {
      name: { type: 'string', says: 'a name, to tell keys apart' },
      tables: { type: 'strings', required: 'revoke', says: 'tables of the new key; `*` for all' },
      actions: {
        type: 'strings',
        oneOf: ['list', 'view', 'create', 'update', 'delete'],
        required: 'revoke',
        says: '`list`, `view`, `create`, `update`, `delete`: what it may do',
      },
      revoke: { type: 'string', says: 'revoke the key with this id instead of creating one' },
    },
    returns: 'the key, including its secret, or 204',
    async run({ serving, body: { revoke, name = '', tables = [], actions = [] } }) {
      const { apiKeys } = serving.reference
      if (revoke === undefined) return apiKeys.create({ name, tables, actions })
      if (await apiKeys.revoke(revoke)) return undefined
      throw new InvalidControlRequest('There is no API key with this id.', 404)
    },
  }),
]
