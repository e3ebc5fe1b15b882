/** OAuth 2.0 sign-in (document 4.2, 5). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { NO_PROOF } from '../../shared/auth/confirm-flows.ts'
import { expectAsGuests, expectCarriedOn } from '../../shared/auth/expect-as-by-password.ts'
import { expectAccepted, expectNoSession, expectToken } from '../../shared/auth/expect-session.ts'
import {
  admittedPerson,
  byProvider,
  oauthBody,
  providerNames,
  REDIRECT,
  type Returned,
  visitProvider,
} from '../../shared/auth/oauth.ts'
import { sessionByProvider } from '../../shared/auth/other-sessions.ts'
import { sessionIn, shownIn, signedInId } from '../../shared/auth/session-in.ts'
import { isAlive } from '../../shared/auth/sessions.ts'
import { namesOf, tableByIdIfShown } from '../../shared/records/table-by-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

function redeem(context: CheckContext, returned: Partial<Returned>, table = context.table('oauth')) {
  return context.api.authWithOAuth2(table, oauthBody(returned))
}

function noSession(context: CheckContext, response: ApiResponse, what: string): Promise<void> {
  return expectNoSession(context, context.table('oauth'), response, what)
}

check('oauth2.sign-in', async (context) => {
  const response = await byProvider(context, await admittedPerson(context))
  const token = await expectToken(context, context.table('oauth'), response, 'a sign-in through the provider')
  // An account that both get is that of neither: it may be one that the run must not touch.
  const next = await unlessPrevented(async () => byProvider(context, await admittedPerson(context)))
  const [id, nextId] = [sessionIn(response).recordId, next && sessionIn(next).recordId]
  const fact = 'two persons sign in through the provider as the same record'
  expectThat(id === undefined || id !== nextId, fact, 'a record each', id)
  expectThat(
    await isAlive(context, { table: context.table('oauth'), token }),
    'the token is not accepted',
    'accepted',
  )
  const other = await unlessPrevented(() => sessionByProvider(context))
  if (other === undefined) return
  await expectAsGuests(context, other, 'a provider')
  await expectCarriedOn(context, other, 'a provider')
})

check('oauth2.carries', async (context) => {
  const person = await admittedPerson(context)
  for (const redirectURL of ['http://app.example.com/one', 'http://app.example.com/two?x=1']) {
    const returned = await visitProvider(context, person, { redirectURL })
    expectSuccess(await redeem(context, returned), `a sign-in with the redirect URL ${redirectURL}`)
  }
  const wrong: Partial<Returned>[] = [
    { redirectURL: 'http://app.example.com/three' },
    { codeVerifier: 'w'.repeat(43) },
    { code: 'another-code' },
  ]
  for (const change of wrong) {
    const returned = await visitProvider(context, person)
    // The provider rejects each of these: a server that sends something of its own instead would succeed.
    await noSession(
      context,
      await redeem(context, { ...returned, ...change }),
      `a different ${Object.keys(change)[0]} from the one that the provider returned`,
    )
  }
})

check('oauth2.same-record', async (context) => {
  const person = await admittedPerson(context)
  const first = signedInId(await byProvider(context, person), 'a sign-in')
  // By then, another record is newer.
  await unlessPrevented(async () => byProvider(context, await admittedPerson(context)))
  const response = await byProvider(context, person)
  expectEqual(signedInId(response, 'a second sign-in'), first, 'the id at the second sign-in')
  const { token } = sessionIn(response)
  // Whether a session can be refreshed is left open.
  const continued = token === undefined ? undefined : context.api.withToken(token, 'user')
  const refresh = await continued?.authRefresh(context.table('oauth'))
  if (refresh?.ok === true)
    expectAccepted(refresh, { id: first }, 'a refresh with the token of a second sign-in')
})

check('oauth2.other-record', async (context) => {
  const people = [await admittedPerson(context), await admittedPerson(context)]
  const responses = await Promise.all(people.map((person) => byProvider(context, person)))
  const [first, second] = responses.map((response) => signedInId(response, 'one of two concurrent sign-ins'))
  expectThat(first !== second, 'two accounts sign in as the same record', 'two records', first)
})

check('oauth2.code-wrong', async (context) => {
  const person = await admittedPerson(context)
  const returned = await visitProvider(context, person)
  await noSession(
    context,
    await redeem(context, { ...returned, code: `${returned.code}x` }),
    'a code that the provider never issued',
  )
  const accepted = await redeem(context, returned)
  expectSuccess(accepted, 'the code that it issued')
  for (const table of namesOf(context.table('oauth'), shownIn(accepted))) {
    await noSession(context, await redeem(context, returned, table), 'a code that was already redeemed')
    const other = { ...(await visitProvider(context, person)), code: 'another-code' }
    await noSession(context, await redeem(context, other, table), 'a code that the provider never issued')
  }
})

check('oauth2.made-up', async (context) => {
  const table = context.table(context.hasTable('oauth') ? 'oauth' : 'members')
  const { body } = await context.api.authMethods(table)
  for (const provider of [...providerNames(body).slice(0, mostProviders), 'no-such-provider']) {
    const madeUp = { provider, code: NO_PROOF, codeVerifier: 'v'.repeat(43), redirectURL: REDIRECT }
    const response = await redeem(context, madeUp, table)
    await expectNoSession(context, table, response, `a made-up code of the provider ${provider}`)
  }
})

/** Providers that the server is sent a made-up code of: it may ask each of them. */
const mostProviders = 2

check('oauth2.verifier-wrong', async (context) => {
  const person = await admittedPerson(context)
  const returned = await visitProvider(context, person)
  const wrong = { codeVerifier: 'v'.repeat(43) }
  const response = await redeem(context, { ...returned, ...wrong })
  await noSession(context, response, 'a verifier of another challenge')
  const accepted = await redeem(context, await visitProvider(context, person))
  expectSuccess(accepted, 'the verifier of the challenge')
  const byId = tableByIdIfShown(context.table('oauth'), shownIn(accepted))
  if (byId === undefined) return
  const again = { ...(await visitProvider(context, person)), ...wrong }
  await noSession(context, await redeem(context, again, byId), 'a verifier of another challenge')
})

check('oauth2.provider-unknown', async (context) => {
  const person = await admittedPerson(context)
  const returned = await visitProvider(context, person)
  for (const provider of ['nosuchprovider', 'google'].filter((each) => each !== returned.provider))
    await noSession(context, await redeem(context, { ...returned, provider }), `the provider ${provider}`)
  expectSuccess(
    await redeem(context, await visitProvider(context, person)),
    'the provider that the table has',
  )
})
