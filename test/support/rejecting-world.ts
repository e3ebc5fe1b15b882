/**
 * A reference to which requests are sent that it rejects, one for each way in which it does so.
 *
 * @module
 */

import { expect } from 'vitest'
import { createReference, type Reference, type ReferenceOptions } from '../../reference/reference.ts'

const options = {
  superusers: [{ id: 'root00000000001', email: 'root@example.com', password: 'root-secret' }],
  prefix: '/api',
  seed: 1,
  passwordCost: 4,
  clock: '2026-01-31T12:00:00Z',
  oauth2: { pretend: ['google'] },
  tables: [
    {
      name: 'members',
      type: 'auth',
      viewRule: '',
      otp: { enabled: true },
      fields: [],
    },
    { name: 'staff', type: 'auth', otp: { enabled: true }, mfa: { enabled: true }, fields: [] },
    {
      name: 'closed',
      type: 'auth',
      passwordAuth: { enabled: false },
      oauth2: { enabled: false },
      fields: [],
    },
    {
      name: 'letters',
      listRule: '',
      viewRule: '@request.auth.id != ""',
      createRule: '',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'scan', type: 'file', protected: true },
      ],
    },
    {
      name: 'stamps',
      deleteRule: '',
      fields: [
        {
          name: 'letter',
          type: 'relation',
          collectionId: 'letters',
          required: true,
        },
      ],
    },
    { name: 'totals', type: 'view' },
  ],
  records: {
    members: [{ id: 'member000000001', email: 'ann@example.com', password: 'secret1234' }],
    staff: [{ id: 'staff0000000001', email: 'bob@example.com', password: 'secret1234' }],
  },
  apiKeys: [{ name: 'reader', tables: ['letters'], actions: ['list'] }],
} as unknown as ReferenceOptions

/** A relation names its table by id. */
export const rejectingTables = (options.tables as { id?: string; name: string }[]).map((table) =>
  table.name === 'letters' ? { ...table, id: 'letters' } : table,
)

/** What is sent. */
export interface SentRequest {
  method?: string
  /** JSON unless it is a string. */
  body?: unknown
  type?: string
  token?: string
  ip?: string
}

export class RejectingWorld {
  readonly reference: Reference

  constructor(more: object = {}) {
    this.reference = createReference({ ...options, tables: rejectingTables, ...more } as ReferenceOptions)
  }

  async send(path: string, { body, method, type, token, ip }: SentRequest = {}): Promise<Response> {
    return await this.reference.fetch(
      `/api/${path}`,
      {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
          ...(token && { authorization: token }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
      ip,
    )
  }

  /** The status, and the reason in the log, which the response must not reveal. */
  async rejected(path: string, init?: SentRequest): Promise<[number, readonly string[] | undefined]> {
    const response = await this.send(path, init)
    const said = await response.text()
    const reason = this.reference.requests.last()?.reason
    for (const line of reason ?? []) {
      expect(said).not.toContain(JSON.stringify(line).slice(1, -1))
      expect(line).not.toMatch(/eyJ|secret1234|root-secret|wrong-pass/)
    }
    return [response.status, reason]
  }

  token(
    kind: 'auth' | 'file' | 'verification' | 'passwordReset' | 'emailChange' = 'auth',
    duration?: number,
  ) {
    return this.reference.tokenFor('members', 'member000000001', {
      kind,
      ...(duration !== undefined && { duration }),
      ...(kind === 'emailChange' && { newEmail: 'new@example.com' }),
    })
  }
}

/** Path of the records that most requests are about. */
export const lettersPath = 'collections/letters/records'
