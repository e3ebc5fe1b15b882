/** Which record a provider signs in (standard profile, gap `oauth2.fields`). */

import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectStatus,
  expectSuccess,
  expectThat,
  objectBody,
} from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount, newEmail, newUsername } from '../../shared/auth/accounts.ts'
import { expectAlive, expectDead, expectSignedIn } from '../../shared/auth/expect-session.ts'
import { byProvider, newProviderPerson, partsOf } from '../../shared/auth/oauth.ts'
import { recordIn } from '../../shared/auth/session-in.ts'
import { byPassword, sessionOf, signedIn } from '../../shared/auth/sessions.ts'

check('oauth2.status', async (context) => {
  const response = await byProvider(context, newProviderPerson(context))
  expectStatus(response, 200, 'a sign-in through a provider')
  expectEqual(
    Object.keys(objectBody(response)).sort(),
    ['meta', 'record', 'token'],
    'the keys of the response',
  )
})

check('oauth2.meta', async (context) => {
  const picture = 'https://pictures.example.com/someone.png'
  const username = () => newUsername(context, 'nick')
  const person = newProviderPerson(context, { username: username(), picture })
  const other = newProviderPerson(context, { username: username() })
  let before: unknown
  for (const isNew of [true, false]) {
    const { meta } = partsOf(await byProvider(context, person))
    expectEqual([meta.avatarURL, meta.avatarUrl], [picture, picture], 'avatarURL and avatarUrl')
    const { id, name, username, email } = meta
    expectEqual(
      [id, name, username, email],
      [person.sub, person.name, person.username, person.email],
      'id, name, username and email of meta',
    )
    expectEqual(meta.isNew, isNew, 'isNew')
    expectThat(
      typeof meta.accessToken === 'string' && meta.accessToken !== '',
      'meta lacks the access token',
      'a string that is not empty',
      meta.accessToken,
    )
    expectEqual((meta.rawUser as { sub?: unknown } | undefined)?.sub, person.sub, 'sub in rawUser')
    expectThat(meta.accessToken !== before, 'two people get the same access token', 'another', before)
    before = partsOf(await byProvider(context, other)).meta.accessToken
  }
})

check('oauth2.new-record', async (context) => {
  const person = newProviderPerson(context, { username: newUsername(context, 'nick') })
  const { record } = partsOf(await byProvider(context, person))
  const { email, verified, name, username } = record
  expectEqual(
    [email, verified, name, username],
    [person.email, true, person.name, person.username],
    'address, verified, name and username',
  )
})

check('oauth2.username-dropped', async (context) => {
  const username = newUsername(context, 'nick')
  const first = partsOf(await byProvider(context, newProviderPerson(context, { username })))
  expectEqual(first.record.username, username, 'the username of the first')
  for (const rejected of [username, 'no good!']) {
    const { record } = partsOf(await byProvider(context, newProviderPerson(context, { username: rejected })))
    expectEqual(record.username, '', 'the username of an account that may not have it')
  }
})

check('oauth2.unverified-email', async (context) => {
  const account = await newAccount(context, 'oauth')
  for (const emailVerified of [false, undefined]) {
    const { emailVerified: _left, ...rest } = newProviderPerson(context, { email: account.email })
    const person = emailVerified === undefined ? rest : { ...rest, emailVerified }
    const response = await byProvider(context, person)
    expectStatus(response, 400, 'a sign-in with an address that the provider has not verified')
  }
  expectSignedIn(
    await byProvider(context, newProviderPerson(context, { email: account.email })),
    account,
    'a verified address',
  )
})

check('oauth2.links-email', async (context) => {
  const account = await newAccount(context, 'oauth', { verified: true })
  const person = newProviderPerson(context, { email: account.email })
  // The first sign-in makes the link, and the second one uses it.
  for (const which of ['first', 'second']) {
    const response = await byProvider(context, person)
    expectSignedIn(response, account, `the ${which} sign-in with the address of a record`)
    expectEqual(partsOf(response).meta.isNew, false, `isNew of the ${which} sign-in`)
  }
})

check('oauth2.links-caller', async (context) => {
  const me = await sessionOf(context, await newAccount(context, 'oauth', { verified: true }))
  const person = newProviderPerson(context)
  expectSignedIn(await byProvider(context, person, { api: me.api }), me, 'a sign-in by a signed-in caller')
  const later = await byProvider(context, person)
  expectSignedIn(later, me, 'a later sign-in by a guest')
  expectEqual(recordIn(later, 'a later sign-in').email, me.email, 'the address of the record')
})

check('oauth2.link-first', async (context) => {
  const person = newProviderPerson(context)
  const { record } = partsOf(await byProvider(context, person))
  const other = await signedIn(context, 'oauth')
  expectSignedIn(
    await byProvider(context, person, { api: other.api }),
    record,
    'a linked account while another account is signed in',
  )
  const renamed = await byProvider(context, { ...person, email: other.email })
  expectSignedIn(renamed, record, 'a linked account with the address of another record')
  await expectNotByFormerAddress(context)
})

/**
 * A record gets another address, and a second record takes over the old one. The provider account that signed in as the
 * first record does not sign in as the second, which it never owned.
 */
async function expectNotByFormerAddress(context: CheckContext): Promise<void> {
  const { api, knows, table } = context
  if (!knows('superuser')) return
  const person = newProviderPerson(context)
  const { record } = partsOf(await byProvider(context, person))
  const update = await api.as('superuser').update(table('oauth'), record.id, { email: newEmail(context) })
  expectSuccess(update, 'a change of the address')
  await newAccount(context, 'oauth', { email: person.email, verified: true })
  const response = await byProvider(context, person)
  expectSignedIn(response, record, 'a linked account whose former address another record has')
}

check('oauth2.takeover-safe', async (context) => {
  const me = await signedIn(context, 'oauth')
  const { record } = partsOf(await byProvider(context, newProviderPerson(context, { email: me.email })))
  expectEqual([record.id, record.verified], [me.id, true], 'id and verified')
  await expectDead(context, me, 'that was issued before the address was verified')
  expectStatus(await byPassword(context, me), 400, 'the password from before the address was verified')
})

check('oauth2.verified-keeps', async (context) => {
  const me = await sessionOf(context, await newAccount(context, 'oauth', { verified: true }))
  expectSignedIn(await byProvider(context, newProviderPerson(context, { email: me.email })), me, 'a sign-in')
  await expectAlive(context, me, 'of a verified record after it was linked')
  expectSignedIn(await byPassword(context, me), me, 'the password of a verified record')
})

check('oauth2.create-data', async (context) => {
  const person = newProviderPerson(context)
  const name = context.unique('name')
  const first = partsOf(await byProvider(context, person, { createData: { name } }))
  expectEqual(first.record.name, name, 'the name of the new record')
  const second = partsOf(await byProvider(context, person, { createData: { name: 'ignored' } }))
  expectEqual(second.record.name, name, 'the name at the second sign-in')
})

check('oauth2.create-data-verified', async (context) => {
  const person = newProviderPerson(context)
  const response = await byProvider(context, person, { createData: { verified: true } })
  expectStatus(response, 400, 'createData with verified')
  const { meta } = partsOf(await byProvider(context, person))
  expectEqual(meta.isNew, true, 'isNew of the sign-in after it')
})

check('oauth2.second-link', async (context) => {
  const first = newProviderPerson(context)
  const { record } = partsOf(await byProvider(context, first))
  const response = await byProvider(context, newProviderPerson(context, { email: first.email }))
  expectStatus(response, 400, 'a second account of the provider with the address of a linked record')
  expectSignedIn(await byProvider(context, first), record, 'the first account')
})
