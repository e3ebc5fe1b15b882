/** Defects of sign-in that show when several accounts do one thing after the other. */

import { claimsOf, recordsOf, SIGN_INS, session, tokenOf } from './combinators/auth.ts'
import { another, itemsOf, type Json, jsonOf, on } from './combinators/combinators.ts'
import { type FaultTools, fault } from './fault.ts'

const seen = { trips: ['auth.sequences'] }
const endsSessions = { 'tokenKey:autogenerate': '' }

/** Changes all accounts of a table but one. */
async function changeOthers(
  tools: FaultTools,
  request: Request,
  table: string,
  id: unknown,
  change: Json,
): Promise<void> {
  const records = `${tools.prefix}/collections/${table}/records`
  const list = await tools.asSuperuser(another(request, 'GET', `${records}?perPage=500`))
  for (const other of itemsOf((await list.json()) as Json))
    if (other.id !== id) await tools.asSuperuser(another(request, 'PATCH', `${records}/${other.id}`, change))
}

fault(
  'a delete of an account ends the sessions of the others',
  seen,
  on('deleteRecord', async (request, next, { table = '', id }, tools) => {
    const response = await next(request.clone())
    if (response.ok && table === 'conf_members') await changeOthers(tools, request, table, id, endsSessions)
    return response
  }),
)
fault(
  'a password that is changed ends the sessions of the others',
  seen,
  on('updateRecord', async (request, next, { table = '', id }, tools) => {
    const { password } = (await jsonOf(request)) ?? {}
    const response = await next(request.clone())
    if (response.ok && table === 'conf_members' && password !== undefined)
      await changeOthers(tools, request, table, id, endsSessions)
    return response
  }),
)
fault(
  'a reset sets the password of every account',
  seen,
  on('confirmPasswordReset', async (request, next, { table = '' }, tools) => {
    const { token, password } = (await jsonOf(request)) ?? {}
    const response = await next(request.clone())
    const change = { password, passwordConfirm: password }
    if (response.ok) await changeOthers(tools, request, table, claimsOf(String(token))?.id, change)
    return response
  }),
)
fault('who signs in again ends the session of who signed in before', seen, (tools) => {
  let before: unknown
  return on('authWithPassword', async (request, next, { table = '' }) => {
    const response = await next(request.clone())
    if (!response.ok) return response
    const { record } = (await response.clone().json()) as { record: Json }
    if (before !== undefined && before !== record.id) {
      const path = `${tools.prefix}/collections/${table}/records/${before}`
      await tools.asSuperuser(another(request, 'PATCH', path, endsSessions))
    }
    before = record.id
    return response
  })(tools)
})
fault('a token stands for whoever has the address of its record', seen, (tools) => {
  const addresses = new Map<string, unknown>()
  return on([...SIGN_INS, 'authRefresh', 'impersonate'], async (request, next, { table = '' }) => {
    const response = await next(request.clone())
    if (response.ok) {
      const { token, record } = (await response.clone().json()) as { token: string; record: Json }
      addresses.set(token, record.email)
      return response
    }
    const address = addresses.get(tokenOf(request))
    if (address === undefined) return response
    const [record] = await recordsOf(tools, request, table, `email = "${address}"`)
    return record === undefined ? response : session(tokenOf(request), record.id)
  })(tools)
})
