/**
 * Auth tables for tests of the sign-in operations, a reference that holds them, and people in it.
 *
 * @module
 */

import { createReference, type Reference, type ReferenceOptions } from '../../reference/reference.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { type Called, call, signIn } from './reference-call.ts'

const own = 'id = @request.auth.id'
const base: Partial<TableDefinition> = {
  type: 'auth',
  listRule: '',
  viewRule: '',
  createRule: '',
  updateRule: own,
  deleteRule: own,
  authAlert: { enabled: false },
}
const otp = { enabled: true, duration: 180, length: 6 }

/**
 * `members` by password and code, `double` with two steps, `gated` for verified ones, `alert` with emails about places.
 */
export const authTables: TableDefinition[] = [
  {
    ...base,
    name: 'members',
    fields: [
      { name: 'username', type: 'text', pattern: '^[a-z0-9_]{3,40}$' },
      { name: 'note', type: 'text', hidden: true },
      { name: 'friend', type: 'relation', collectionId: 'pbc_things_0001' },
    ],
    indexes: [
      "CREATE UNIQUE INDEX idx_members_username ON members (username COLLATE NOCASE) WHERE username != ''",
    ],
    passwordAuth: { enabled: true, identityFields: ['username', 'email'] },
    otp,
  },
  { ...base, name: 'others' },
  { ...base, name: 'double', otp, mfa: { enabled: true, duration: 600, rule: '' } },
  { ...base, name: 'partly', otp, mfa: { enabled: true, duration: 600, rule: 'verified = true' } },
  { ...base, name: 'gated', authRule: 'verified = true', otp },
  { ...base, name: 'sealed', authRule: null },
  { ...base, name: 'codeonly', passwordAuth: { enabled: false }, otp },
  { ...base, name: 'alert', authAlert: { enabled: true } },
  { id: 'pbc_things_0001', name: 'things', listRule: '', viewRule: '', createRule: null },
]

const root = { email: 'root@example.com', password: 'rootpass123' }
export const password = 'password1'

export interface AuthWorld {
  reference: Reference
  superuser: string
  /** Calls the reference. */
  call(line: string, body?: unknown, token?: string, headers?: Record<string, string>): Promise<Called>
  /** `POST /collections/{table}/{action}` */
  act(table: string, action: string, body?: unknown, token?: string): Promise<Called>
  /** Makes an account with the usual password. @returns its record */
  join(table: string, email: string, fields?: Record<string, unknown>): Promise<{ id: string }>
  signIn(table: string, identity: string, password?: string): Promise<string>
  /** Whether a token still authenticates someone of the table. */
  alive(table: string, token: string): Promise<boolean>
}

/** A fresh reference; an unexpected exception fails the test that caused it. */
export async function makeAuthWorld(options: ReferenceOptions = {}): Promise<AuthWorld> {
  const reference = createReference({
    tables: authTables,
    superusers: [root],
    passwordCost: 4,
    seed: 7,
    log: (error) => {
      throw error
    },
    ...options,
  })
  reference.clock.freeze('2030-01-01T00:00:00Z')
  const superuser = await signIn(reference, '_superusers', root.email, root.password)
  const sendRequest: AuthWorld['call'] = (line, body, token, headers) =>
    call(reference, line, body, { token, headers })
  const act: AuthWorld['act'] = (table, action, body, token) =>
    sendRequest(`POST /collections/${table}/${action}`, body, token)
  return {
    reference,
    superuser,
    call: sendRequest,
    act,
    async join(table, email, fields = {}) {
      const body = { email, password, passwordConfirm: password, ...fields }
      const made = await act(table, 'records', body, superuser)
      if (made.status !== 200) throw new Error(`${email} could not join ${table}: ${made.text}`)
      return made.body
    },
    signIn: (table, identity, word = password) => signIn(reference, table, identity, word),
    alive: async (table, token) => (await act(table, 'auth-refresh', undefined, token)).status === 200,
  }
}

/** Codes of field errors by name. */
export function codes({ body }: Called): Record<string, string> {
  const data = (body?.data ?? {}) as Record<string, { code: string }>
  return Object.fromEntries(Object.entries(data).map(([name, { code }]) => [name, code]))
}
