/** What the profile says of requests that differ from a valid one in one part of the description. */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectRejection, expectSuccess, expectThat } from '../../../harness/judging/expect.ts'
import type { ApiResponse } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { operations } from '../../../spec/openapi.ts'
import { offersProvider } from '../../shared/auth/sign-in-by-provider.ts'
import type { DerivedCase } from '../../shared/derived/case.ts'
import { casesOf } from '../../shared/derived/cases.ts'
import { type Derivation, derivedProperty, expectControl } from '../../shared/derived/derived-property.ts'
import { linkProperty } from '../../shared/derived/link-property.ts'
import { accountStarts, recordStarts } from '../../shared/derived/starts.ts'
import {
  type AccountOperation,
  type Proofs,
  validAccountRequest,
} from '../../shared/derived/valid-account-request.ts'
import { draftOf, validBatchRequest, validRecordRequest } from '../../shared/derived/valid-record-request.ts'

const signIns = ['authWithPassword', 'authWithOAuth2', 'requestOtp', 'authWithOtp', 'impersonate'] as const
const flows = [
  'requestVerification',
  'confirmVerification',
  'requestPasswordReset',
  'confirmPasswordReset',
  'requestEmailChange',
  'confirmEmailChange',
] as const

/** Cases that each example sends. */
const size = 8
/** Milliseconds for one operation of several, so that all of them fit into the time of a check. */
const timeLimit = 30_000

/** Of each operation that the target offers, the cases that are chosen: all of them, whatever the seed. */
async function each(
  context: CheckContext,
  ids: readonly AccountOperation[],
  choose: (derived: DerivedCase) => boolean,
  also: Required<Derivation>['also'],
): Promise<void> {
  const offered = ids.filter((id) => {
    if (id === 'authWithOAuth2') return offersProvider(context)
    return id === 'authWithOtp'
      ? context.has('otp') && context.has('mail')
      : id !== 'requestOtp' || context.has('otp')
  })
  for (const operation of offered) {
    const proofs: Proofs = {}
    const cases = casesOf(operation).filter(choose)
    const prepare = () => validAccountRequest(context, operation, proofs)
    const runs = Math.ceil(cases.length / size)
    const control = await prepare()
    if (control.proven !== false) await expectControl(context, control)
    await derivedProperty(context, { operation, cases, prepare, also, size, runs, timeLimit })
  }
}

const isInvalid = ({ place, mutation }: DerivedCase) =>
  place === 'body key' && (mutation === 'omitted' || mutation === 'beyond a bound')
const rejected: Required<Derivation>['also'] = async (response, what) => expectRejection(response, what)

/** Also expects that what `data` says of the key is true: that it is missing, or how many characters it may have. */
const rejectedWithCause: Required<Derivation>['also'] = async (
  response,
  what,
  _valid,
  { name, ...derived },
) => {
  expectRejection(response, what)
  const { code, params } = causeOf(response, name)
  const [sent] = derived.change('')
  if (code === undefined) return
  if (derived.mutation === 'omitted') {
    expectEqual(code, 'validation_required', `the error code of ${what}`)
    return
  }
  if (typeof sent !== 'string' || sent === '') return
  const hasMinimum = Number(params?.min) > 0
  const expected = `validation_length_${hasMinimum ? 'out_of_range' : 'too_long'}`
  expectEqual(code, expected, `the error code of ${what}`)
  const isBound = params?.max === sent.length - 1 || params?.min === sent.length + 1
  expectThat(
    isBound,
    `the error response to ${what} does not name the bound`,
    `a bound of ${sent.length} characters, less or more by one`,
    params,
  )
}
interface Cause {
  code?: unknown
  params?: { min?: unknown; max?: unknown }
}

/** What an error response says of a key of the body, or of the first entry of a batch that has it. */
function causeOf({ body }: ApiResponse, name: string): Cause {
  const { data } = (body ?? {}) as { data?: Record<string, Cause> }
  const key = name.replace(/^requests\[\]\./, '')
  if (key === name) return data?.[name] ?? {}
  const entries = Object.values((data?.requests ?? {}) as Record<string, Record<string, Cause>>)
  return entries.find((each) => each[key] !== undefined)?.[key] ?? {}
}

check('derived.sign-in-invalid', (context) => each(context, signIns, isInvalid, rejectedWithCause))
check('derived.flow-invalid', (context) => each(context, flows, isInvalid, rejectedWithCause))

const isWritten = ({ place }: DerivedCase) => place === 'media type'
const accepted: Required<Derivation>['also'] = async (response, what, valid) => {
  expectSuccess(response, what)
  await valid.done?.(what)
}

check('derived.sign-in-media-types', (context) => each(context, signIns, isWritten, accepted))
check('derived.flow-media-types', (context) => each(context, flows, isWritten, accepted))

/** What no table takes: a body without a key that is required, or a value beyond a bound of the table. */
const isNotWritten = ({ operation, place, role, mutation, title }: DerivedCase) =>
  place === 'body key' &&
  (mutation === 'omitted' || mutation === 'beyond a bound') &&
  (operation === 'batch' || (role === 'constrained' && !title.includes('huge number')))

check('derived.write-invalid', async (context) => {
  for (const operation of ['createRecord', 'updateRecord', 'batch'] as const) {
    const prepare = (role?: string) =>
      operation === 'batch' ? validBatchRequest(context) : validRecordRequest(context, operation, role)
    await expectControl(context, await prepare('constrained'))
    const cases = casesOf(operation).filter(isNotWritten)
    const runs = Math.ceil(cases.length / size)
    const also = operation === 'batch' ? rejectedWithCause : rejected
    await derivedProperty(context, { operation, cases, prepare, also, size, runs, timeLimit })
  }
})

check('derived.links-accepted', (context) => linkProperty(context, [...recordStarts, ...accountStarts], true))

check('derived.methods', async (context) => {
  const { api, make, table, unique } = context
  const { id } = await make(table('plain'), { title: unique('title') })
  const readable = [api.path.record(table('plain'), id), api.path.auth(table('members'), 'auth-methods')]
  for (const path of [api.path.records(table('plain')), ...readable]) {
    const [get, head] = [await api.raw({ method: 'GET', path }), await api.raw({ method: 'HEAD', path })]
    expectEqual(head.status, get.status, `the status of HEAD ${path}`)
  }
  const read = operations().filter(({ method }) => method === 'GET')
  for (const { id: operation, path } of operations()) {
    const isRead = read.some((each) => each.path === path)
    const cases = casesOf(operation).filter(
      ({ place, name }) => place === 'method' && (name !== 'HEAD' || !isRead) && name !== 'OPTIONS',
    )
    if (cases.length === 0) continue
    const places = {
      table: table(path.includes('/records') ? 'plain' : 'members').name,
      id: 'nosuchrecord123',
    }
    const prepare = async () => ({ as: api, secrets: [], draft: draftOf(operation, places) })
    await derivedProperty(context, {
      operation,
      cases,
      prepare,
      also: rejected,
      size: 3,
      runs: 1,
      timeLimit,
    })
  }
})
