/**
 * Which checks run against a liar.
 *
 * @module
 */

import type { SuiteCheck } from '../../../harness/planning/suites.ts'
import type { Liar } from '../liar.ts'

/** Each kind of write: creates, updates, deletes and batches, accounts and their emails, providers, keys, files. */
const core: ReadonlySet<string> = new Set([
  'account.email-direct',
  'account.manager-edits',
  'account.visibility',
  'api-key.action-scope',
  'auth.deleted-ends-session',
  'auth.password-sign-in',
  'batch.across-tables',
  'batch.all-or-nothing',
  'batch.delete-recreate',
  'batch.mixes-methods',
  'batch.multipart-files',
  'batch.parent-with-children',
  'batch.upsert-creates',
  'batch.upsert-updates',
  'body.form-urlencoded',
  'body.multipart',
  'create.persists',
  'delete.cascades',
  'delete.only-one',
  'delete.removes',
  'email-change.confirms',
  'fields.malformed',
  'file.replaces',
  'impersonate.acts-as-record',
  'list.expand-relation',
  'list.pagination-covers',
  'list.total-follows-writes',
  'mfa.second-factor',
  'modifier.append',
  'oauth2.create-data',
  'oauth2.new-record',
  'oauth2.same-record',
  'otp.sign-in',
  'password-reset.confirms',
  'record-id.given',
  'record.id-unique',
  'relation.leads-to-record',
  'rules.writer-sees',
  'table.by-id-writes',
  'unique.freed',
  'update.changes-only-sent',
  'update.only-one',
  'verification.confirms',
])

/** Of all other checks, one in n runs against each liar. */
const shares = 78

/**
 * How many checks run against each liar. `whole`: all. `share`: those that write in every way, those that the liar requires,
 * and a share of all others, a different one for each liar. `sample`: the same with a sixth of those that write.
 */
export type LiarExtent = 'sample' | 'share' | 'whole'

/**
 * Selects the checks that run against a liar. In every extent, each check meets at least one liar.
 *
 * @param position of the liar among all
 */
export function checksAgainst(
  { checks: own = [] }: Pick<Liar, 'checks'>,
  position: number,
  all: readonly SuiteCheck[],
  extent: LiarExtent = 'share',
): SuiteCheck[] {
  if (extent === 'whole') return [...all]
  const parts = extent === 'sample' ? 6 : 1
  const writing = all.filter(({ id }) => core.has(id))
  const selected = new Set(writing.filter((_check, at) => at % parts === position % parts))
  return all.filter(
    (check, at) => selected.has(check) || own.includes(check.id) || at % shares === position % shares,
  )
}

/** Ids that the list above or a liar names and that no check has. */
export function unknownChecks(liars: readonly Liar[], all: readonly SuiteCheck[]): string[] {
  const known = new Set(all.map(({ id }) => id))
  const named = [...core, ...liars.flatMap(({ checks = [] }) => checks)]
  return [...new Set(named.filter((id) => !known.has(id)))]
}
