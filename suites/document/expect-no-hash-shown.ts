/**
 * Hashes in a form that no library has a name for: a field that is called like a password, with another long value for each
 * account.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { expectThat } from '../../harness/judging/expect.ts'
import type { Api } from '../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'
import type { TableRef } from '../../harness/vocabulary/target.ts'
import { type Account, newAccount } from '../shared/auth/accounts.ts'
import { ownedBy, type SignedIn, signedInIfPossible } from '../shared/auth/sessions.ts'
import { expandBy, listById } from '../shared/lists/shared-records.ts'
import { neededIn } from '../shared/records/relation-of.ts'
import { unlessPrevented } from '../shared/unless-prevented.ts'

/** Whole names: a longer one may be about a password, for example when it was changed. */
const names = new Set(['password', 'passwd', 'passhash', 'pass', 'pwd', 'pw', 'pwhash'])

/** Shorter strings are placeholders. */
const shortest = 20

/** The long strings in fields that are called like a password, anywhere in a body. */
export function passwordsIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(passwordsIn)
  if (!isObject(body)) return []
  return Object.entries(body).flatMap(([key, value]) =>
    typeof value === 'string'
      ? names.has(key.toLowerCase().replaceAll('_', '')) && value.length >= shortest
        ? [value]
        : []
      : passwordsIn(value),
  )
}

/** @param bodies about at least two accounts: one value for all of them is a placeholder */
export function expectNoHashShown(bodies: readonly unknown[], where: string): void {
  const shown = new Set(bodies.flatMap(passwordsIn))
  expectThat(
    shown.size < 2,
    `${where} shows for each account another value in a field that is called like a password`,
    'no value, or the same placeholder in all',
    [...shown],
  )
}

/** Tables that are open by their role: where an account stands in for guests, a record may show who created it. */
const createdBy = { plain: 'title', child: 'name' } as const

interface Referring {
  table: TableRef
  id: string
  /** The field with the id of the account. */
  field: string
}

/** A record that refers to the account: it owns it or, where no table has owners, created it. Undefined: none shows it. */
async function referringTo(context: CheckContext, owner: Account | SignedIn): Promise<Referring | undefined> {
  if (context.hasTable('owned')) {
    const { id } = await ownedBy(context, owner)
    return { table: context.table('owned'), id, field: 'owner' }
  }
  for (const [role, text] of Object.entries(createdBy)) {
    if (!('api' in owner) || !context.hasTable(role) || context.table(role).as !== 'account') continue
    const table = context.table(role)
    const body = { ...(await neededIn(context, role)), [text]: context.unique('created') }
    const response = await owner.api.create(table, body)
    if (!response.ok) continue
    const { id } = await context.created(table, response, owner.api)
    const view = await owner.api.view(table, id)
    const shown = isObject(view.body) ? view.body : {}
    const field = Object.keys(shown).find((key) => shown[key] === owner.id)
    if (field !== undefined) return { table, id, field }
  }
  return undefined
}

/** Accounts to which records refer, as an expansion shows them. Who sees the records is left open. */
export async function expectNoHashExpanded(context: CheckContext, most: Api): Promise<void> {
  if (context.unknownForms.includes('expansion')) return
  const bodies: unknown[] = []
  for (let at = 0; at < 2; at += 1) {
    const owner: Account | SignedIn | undefined =
      (await signedInIfPossible(context)) ?? (await unlessPrevented(() => newAccount(context)))
    const record = owner && (await unlessPrevented(() => referringTo(context, owner)))
    if (owner === undefined || record === undefined) return
    const { table, id, field } = record
    const readers = new Set([most, ...('api' in owner ? [owner.api as Api] : [])])
    const expand = expandBy(context, table, field)
    for (const reader of readers) bodies.push((await listById(context, reader, table, id, { expand })).body)
  }
  expectNoHashShown(bodies, 'an expansion')
}
