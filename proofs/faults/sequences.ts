/** Defects of sign-in that show when several accounts do one thing after the other. */

import { changeRecord, claimsIn, letIn, tokenIn } from './combinators/auth.ts'
import { another, type JsonValue, json, listItems, on, parsedBody } from './combinators/combinators.ts'
import { type FaultTools, fault } from './fault.ts'

const seen = { trips: ['auth.sequences'] }
const endsSessions = { 'tokenKey:autogenerate': '' }

/** Changes all accounts of a table but one. */
async function changeOthers(
  tools: FaultTools,
  request: Request,
  table: string,
  id: unknown,
  change: JsonValue,
): Promise<void> {
  const records = `${tools.prefix}/collections/${table}/records`
  const list = await tools.asSuperuser(another(request, 'GET', `${records}?perPage=500`))
  for (const other of listItems((await list.json()) as JsonValue))
    if (other.id !== id) await tools.asSuperuser(another(request, 'PATCH', `${records}/${other.id}`, change))
}

fault(
  'deleting an account ends the sessions of other accounts',
  seen,
  on('deleteRecord', async (request, next, { table = '', id }, tools) => {
    const response = await next(request.clone())
    if (response.ok && table === 'conf_members') await changeOthers(tools, request, table, id, endsSessions)
    return response
  }),
)
fault(
  'a password change ends the sessions of other accounts',
  seen,
  on('updateRecord', async (request, next, { table = '', id }, tools) => {
    const { password } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (response.ok && table === 'conf_members' && password !== undefined)
      await changeOthers(tools, request, table, id, endsSessions)
    return response
  }),
)
fault('a sign-in ends the session of the previous sign-in', seen, (tools) => {
  let before: unknown
  return on('authWithPassword', async (request, next, { table = '' }) => {
    const response = await next(request.clone())
    if (!response.ok) return response
    const { record } = (await response.clone().json()) as { record: JsonValue }
    if (before !== undefined && before !== record.id) {
      await changeRecord(tools, request, table, before, endsSessions)
    }
    before = record.id
    return response
  })(tools)
})
fault(
  'a verification resets the password of the account',
  seen,
  on('confirmVerification', async (request, next, { table = '' }, tools) => {
    const { token } = (await parsedBody(request.clone())) ?? {}
    const response = await next(request.clone())
    const id = claimsIn(String(token))?.id
    if (!response.ok || typeof id !== 'string') return response
    const password = 'a password that no one knows'
    await changeRecord(tools, request, table, id, { password, passwordConfirm: password })
    return response
  }),
)
fault(
  'an email change ends the sessions of other accounts',
  seen,
  on('confirmEmailChange', async (request, next, { table = '' }, tools) => {
    const { token } = (await parsedBody(request.clone())) ?? {}
    const response = await next(request.clone())
    if (response.ok && table === 'conf_members')
      await changeOthers(tools, request, table, claimsIn(String(token))?.id, endsSessions)
    return response
  }),
)

/** Gives accounts of the table a password that no one knows. */
async function resetPasswords(
  tools: FaultTools,
  request: Request,
  table: string,
  ids: readonly string[],
): Promise<void> {
  const password = 'a password that no one knows'
  for (const id of ids) {
    await changeRecord(tools, request, table, id, { password, passwordConfirm: password })
  }
}

/** The members that entries of a batch write with this method. */
function membersIn(sent: JsonValue | undefined, method: string): string[] {
  const { requests } = (sent ?? {}) as { requests?: JsonValue[] }
  return (Array.isArray(requests) ? requests : [])
    .filter((entry) => entry.method === method)
    .flatMap(({ url }) => /\/conf_members\/records\/(\w+)/.exec(String(url))?.[1] ?? [])
}

fault(
  'an update of a name resets the password',
  seen,
  on('updateRecord', async (request, next, { table = '', id = '' }, tools) => {
    const { name } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (response.ok && table === 'conf_members' && name !== undefined)
      await resetPasswords(tools, request, table, [id])
    return response
  }),
)
fault(
  'an update of an account in a batch resets its password',
  seen,
  on('batch', async (request, next, _match, tools) => {
    const ids = membersIn(await parsedBody(request.clone()), 'PATCH')
    const response = await next(request.clone())
    if (response.ok) await resetPasswords(tools, request, 'conf_members', ids)
    return response
  }),
)
fault('an account that a batch deletes keeps its sessions', seen, (tools) => {
  const deleted = new Set<unknown>()
  return on(['batch', 'authRefresh'], async (request, next, { operation }) => {
    const ids = operation === 'batch' ? membersIn(await parsedBody(request.clone()), 'DELETE') : []
    const token = tokenIn(request)
    const { id } = claimsIn(token) ?? {}
    if (operation === 'authRefresh' && deleted.has(id)) return json(200, { token, record: { id } })
    const response = await next(request)
    if (response.ok) for (const each of ids) deleted.add(each)
    return response
  })(tools)
})
fault(
  'a token of another table refreshes the session of the newest record',
  seen,
  on('authRefresh', async (request, next, { table = '' }, tools) => {
    const { collectionId } = claimsIn(tokenIn(request)) ?? {}
    const response = await next(request.clone())
    const isOther = response.status === 403 && String(collectionId) !== `${table}_0001`
    return isOther ? ((await letIn(tools, request, table, 'id != ""')) ?? response) : response
  }),
)
fault('a code signs in again once another account has signed in', seen, (tools) => {
  const used = new Map<unknown, JsonValue>()
  let newest: unknown
  return on('authWithOtp', async (request, next, { table = '' }) => {
    const { otpId } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const before = used.get(otpId)
    if (!response.ok && before !== undefined && newest !== before.id)
      return (await letIn(tools, request, table, `id = "${before.id}"`)) ?? response
    if (!response.ok) return response
    const { record } = (await response.clone().json()) as { record: JsonValue }
    used.set(otpId, record)
    newest = record.id
    return response
  })(tools)
})
for (const [operation, table, how] of [
  ['authWithOtp', 'conf_members', 'by a code'],
  ['authWithOAuth2', 'conf_oauth', 'through a provider'],
] as const)
  fault(
    `a sign-in ${how} ends the sessions of other accounts`,
    seen,
    on(operation, async (request, next, match, tools) => {
      const response = await next(request.clone())
      if (!response.ok || match.table !== table) return response
      const { record } = (await response.clone().json()) as { record: JsonValue }
      await changeOthers(tools, request, table, record.id, endsSessions)
      return response
    }),
  )
fault('after a sign-in with two factors, one factor can be used twice', seen, (tools) => {
  const done = new Set<unknown>()
  return on(['authWithPassword', 'authWithOtp'], async (request, next, { operation, table = '' }) => {
    const { identity, mfaId } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (table !== 'conf_mfa' || mfaId === undefined) return response
    if (operation === 'authWithOtp') {
      const { record } = (await response.clone().json()) as { record?: JsonValue }
      if (response.ok) done.add(record?.email)
      return response
    }
    return done.has(identity)
      ? ((await letIn(tools, request, table, `email = "${identity}"`)) ?? response)
      : response
  })(tools)
})
