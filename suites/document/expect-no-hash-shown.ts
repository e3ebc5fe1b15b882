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
import { type Account, newAccount } from '../shared/auth/accounts.ts'
import { ownedBy, signedInIfPossible } from '../shared/auth/sessions.ts'
import { equals, expandBy } from '../shared/lists/shared-records.ts'
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

/** Accounts to which records refer, as an expansion shows them. Who sees the records is left open. */
export async function expectNoHashExpanded(context: CheckContext, most: Api): Promise<void> {
  if (!context.hasTable('owned') || context.unknownForms.includes('expansion')) return
  const owned = context.table('owned')
  const expand = expandBy(context, owned, 'owner')
  const bodies: unknown[] = []
  for (let at = 0; at < 2; at += 1) {
    const owner: Account | undefined =
      (await signedInIfPossible(context)) ?? (await unlessPrevented(() => newAccount(context)))
    const record = owner && (await unlessPrevented(() => ownedBy(context, owner)))
    if (owner === undefined || record === undefined) return
    const readers = new Set([most, ...('api' in owner ? [owner.api as Api] : [])])
    const filter = equals(context, owned, 'id', record.id)
    for (const reader of readers) bodies.push((await reader.list(owned, { filter, expand })).body)
  }
  expectNoHashShown(bodies, 'an expansion')
}
