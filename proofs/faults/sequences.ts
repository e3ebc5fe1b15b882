/** Defects of sign-in that show when several accounts do one thing after the other. */

import { readClaims } from './combinators/auth.ts'
import { another, type JsonValue, listItems, on, parsedBody } from './combinators/combinators.ts'
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
    const { password } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (response.ok && table === 'conf_members' && password !== undefined)
      await changeOthers(tools, request, table, id, endsSessions)
    return response
  }),
)
fault('who signs in again ends the session of who signed in before', seen, (tools) => {
  let before: unknown
  return on('authWithPassword', async (request, next, { table = '' }) => {
    const response = await next(request.clone())
    if (!response.ok) return response
    const { record } = (await response.clone().json()) as { record: JsonValue }
    if (before !== undefined && before !== record.id) {
      const path = `${tools.prefix}/collections/${table}/records/${before}`
      await tools.asSuperuser(another(request, 'PATCH', path, endsSessions))
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
    const id = readClaims(String(token))?.id
    if (!response.ok || typeof id !== 'string') return response
    const path = `${tools.prefix}/collections/${table}/records/${id}`
    const password = 'a password that nobody knows'
    await tools.asSuperuser(another(request, 'PATCH', path, { password, passwordConfirm: password }))
    return response
  }),
)
fault(
  'an address that is changed ends the sessions of the others',
  seen,
  on('confirmEmailChange', async (request, next, { table = '' }, tools) => {
    const { token } = (await parsedBody(request.clone())) ?? {}
    const response = await next(request.clone())
    if (response.ok && table === 'conf_members')
      await changeOthers(tools, request, table, readClaims(String(token))?.id, endsSessions)
    return response
  }),
)
