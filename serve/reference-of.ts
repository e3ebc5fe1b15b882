/**
 * Makes the reference of served data, which may be that of a file or a whole state.
 *
 * @module
 */

import { createReferenceInTurns } from '../reference/create-reference.ts'
import type { PretendOptions, Reference, SmtpOptions, StateJson } from '../reference/reference.ts'
import { withPretended } from '../reference/testing/pretend-provider.ts'
import { checkState } from '../spec/check-table.ts'
import type { PausableClock } from './pausable-clock.ts'
import { pretendPagePath } from './pretend-page.ts'
import { limitsIn } from './read-settings.ts'
import type { ServedData } from './served-data.ts'

/** What stays the same after every reload. */
export interface ServedReferenceOptions {
  prefix?: string
  seed: number
  smtp?: SmtpOptions
  /** One superuser in addition to those of the data, the same after every reload. */
  superuser: { id: string; email: string; password: string; tokenKey: string }
}

/** @param url the origin of the server, which emails and identity providers link to */
export async function referenceOf(
  data: ServedData,
  { prefix, seed, smtp, superuser: { id, email, password, tokenKey } }: ServedReferenceOptions,
  url: string,
  { clock }: PausableClock,
): Promise<Reference> {
  const own = { id, email, password, tokenKey, verified: true }
  const given = [...data.superusers, ...(data.records._superusers ?? [])]
  const taken = given.some((one) => String(one.email).toLowerCase() === email.toLowerCase())
  const reference = await createReferenceInTurns({
    tables: data.tables,
    // Ours comes first, so that its random values do not depend on the other data.
    records: {
      ...data.records,
      _superusers: [...(taken ? [] : [own]), ...(data.records._superusers ?? [])],
    },
    superusers: data.superusers,
    apiKeys: data.keys,
    seed,
    // Kept in memory, for tests: a high cost would only slow them down.
    passwordCost: 4,
    clock,
    prefix,
    // Requests are read from the log of the server, so bodies need not be kept twice as long as it runs.
    keepRequests: 20,
    ...data.settings,
    limits: limitsIn(data.settings ?? {}),
    oauth2: pretendedIn(data, url),
    mail: {
      sender: { appURL: url, ...data.settings?.mail?.sender },
      smtp: smtp ?? data.settings?.mail?.smtp,
    },
  })
  if (data.state !== undefined) {
    checkState(data.state)
    const tables = data.state.tables.map((one) =>
      one.system ? one : withPretended(pretendedIn(data, url), one),
    )
    await takeOver(reference, { ...data.state, tables }, own)
  }
  return reference
}

/** How identity providers are pretended: as the data says, with the page of the server at `url`. */
export function pretendedIn({ settings }: ServedData, url: string): PretendOptions {
  return { ...settings?.oauth2, page: `${url}${pretendPagePath}` }
}

/** Replaces the state with a whole state, and adds our superuser unless the state has an account with its address. */
async function takeOver(
  reference: Reference,
  state: StateJson,
  superuser: Readonly<Record<string, unknown>>,
): Promise<void> {
  await reference.importState(state)
  const taken = await reference.records.find('_superusers', { email: superuser.email })
  if (taken === undefined) await reference.records.create('_superusers', superuser)
}
