/** Requests that differ from a valid one in one part of the description, operation by operation (document 1, 4). */

import { check } from '../../../harness/check.ts'
import { BlockedError, expectThat } from '../../../harness/judging/expect.ts'
import type { Reply } from '../../../harness/vocabulary/api.ts'
import { type AccountOperation, accountGround, type Proofs } from '../../shared/derived/account-grounds.ts'
import { casesOf } from '../../shared/derived/cases.ts'
import { derivedProperty, expectControl, type Ground } from '../../shared/derived/derived-property.ts'
import { askable, batchGround, recordGround } from '../../shared/derived/record-grounds.ts'

/** A request that has nothing to do with the others is still responded to. */
async function stillAlive(ordinary: () => Promise<Reply>, work: () => Promise<void>) {
  const before = await ordinary()
  if (!before.ok)
    throw new BlockedError(`an ordinary request was rejected before the check: ${before.status}`)
  await work()
  const after = await ordinary()
  expectThat(
    after.ok,
    'an ordinary request is no longer accepted after requests that a server may reject',
    String(before.status),
    `${after.status} ${after.text}`,
  )
}

const records = {
  'list-records': 'listRecords',
  'view-record': 'viewRecord',
  'create-record': 'createRecord',
  'update-record': 'updateRecord',
  'delete-record': 'deleteRecord',
} as const

/** Examples of each check: one run sends a part of the cases, by its seed. */
const runs = 3

for (const [name, operation] of Object.entries(records))
  check(`derived.${name}`, async (context) => {
    const ordinary = () => context.api.list(context.table('plain'))
    const prepare = (role?: string) => recordGround(context, operation, role)
    await stillAlive(ordinary, async () => {
      await expectControl(context, await prepare())
      await derivedProperty(context, {
        operation,
        cases: askable(context, casesOf(operation)),
        prepare,
        runs,
      })
    })
  })

check('derived.batch', async (context) => {
  const ordinary = () => context.api.list(context.table('plain'))
  const prepare = () => batchGround(context)
  await stillAlive(ordinary, async () => {
    await expectControl(context, await prepare())
    await derivedProperty(context, { operation: 'batch', cases: casesOf('batch'), prepare, runs })
  })
})

const accounts: Readonly<Record<string, AccountOperation>> = {
  'list-auth-methods': 'listAuthMethods',
  'auth-with-password': 'authWithPassword',
  'auth-with-oauth2': 'authWithOAuth2',
  'request-otp': 'requestOtp',
  'auth-with-otp': 'authWithOtp',
  'auth-refresh': 'authRefresh',
  impersonate: 'impersonate',
  'request-verification': 'requestVerification',
  'confirm-verification': 'confirmVerification',
  'request-password-reset': 'requestPasswordReset',
  'confirm-password-reset': 'confirmPasswordReset',
  'request-email-change': 'requestEmailChange',
  'confirm-email-change': 'confirmEmailChange',
}

for (const [name, operation] of Object.entries(accounts))
  check(`derived.${name}`, async (context) => {
    const ordinary = () => context.api.authMethods(context.table('members'))
    const proofs: Proofs = {}
    const prepare = (): Promise<Ground> => accountGround(context, operation, proofs)
    await stillAlive(ordinary, () =>
      derivedProperty(context, { operation, cases: casesOf(operation), prepare, runs }),
    )
  })
