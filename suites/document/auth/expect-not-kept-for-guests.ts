import { expectThat } from '../../../harness/judging/expect.ts'
import type { Api, ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { SignedIn } from '../../shared/auth/sessions.ts'

/** Roles of tables that a server may close to guests. */
const roles = ['locked', 'owned', 'members', 'staff', 'plain', 'everything', 'related', 'child', 'parent']

/** The second one is rare: what another check of the run has just requested shows nothing. */
const queries = [{}, { perPage: 7 }]

/**
 * A server may keep its responses for a while. A list that rejects guests also rejects them right after a client that may
 * read it has requested the same address. Who may list a table is left open: one that is open to guests shows nothing.
 */
export async function expectNotKeptForGuests(context: CheckContext, me: SignedIn): Promise<void> {
  const { api, hasTable, knows, table } = context
  const readers: [who: string, reader: Api][] = [['a signed-in user', me.api]]
  if (knows('superuser')) readers.push(['a superuser', api.as('superuser')])
  const closed = new Set<string>()
  for (const role of roles.filter((each) => hasTable(each))) {
    const place = table(role)
    // A credential stands in for guests there.
    if (place.as !== undefined || closed.has(place.name)) continue
    closed.add(place.name)
    for (const query of queries)
      for (const [who, reader] of readers)
        await expectRejectedAfter(`${place.name} after ${who} listed it`, reader, api, (client) =>
          client.list(place, query),
        )
  }
}

async function expectRejectedAfter(
  what: string,
  reader: Api,
  guest: Api,
  read: (client: Api) => Promise<ApiResponse>,
): Promise<void> {
  if ((await read(guest)).ok || !(await read(reader)).ok) return
  const { ok, status } = await read(guest)
  expectThat(
    !ok,
    `a guest, who was rejected before, lists ${what} at the same address`,
    'a rejection',
    status,
  )
}
