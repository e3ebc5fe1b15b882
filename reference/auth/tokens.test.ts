import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { beforeEach, expect, it } from 'vitest'
import { call } from '../../test/support/reference-call.ts'
import { createReference, type Reference } from '../reference.ts'
import { servicesOf } from '../services-of.ts'
import type { Row, Table } from '../vocabulary.ts'
import { readClaims } from './tokens.ts'

let reference: Reference
let table: Table
let row: Row

beforeEach(() => {
  reference = createReference({
    tables: [{ name: 'users', type: 'auth', viewRule: 'id = @request.auth.id', authToken: { duration: 60 } }],
    records: { users: [{ id: 'user00000000001', email: 'ada@example.com', password: 'adapass123' }] },
    passwordCost: 4,
  })
  const { current } = servicesOf(reference).store
  table = current.table('users') as Table
  row = current.get(table, 'user00000000001') as Row
})

const path = 'GET /collections/users/records/user00000000001'
const see = async (token: string) => (await call(reference, path, undefined, { token })).status

it('a token is signed with HS256 and has the claims of the living family', async () => {
  const token = await servicesOf(reference).tokens.sign(table, row, 'auth')
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(decodeJwt(token)).toMatchObject({
    id: row.id,
    collectionId: table.id,
    type: 'auth',
    refreshable: true,
  })
  expect(await see(token)).toBe(200)
  expect(await see(`bEARER ${token}`)).toBe(200)
  expect(await see(`Bearer  ${token}`)).toBe(404)
  expect(await see(`Token ${token}`)).toBe(404)
})

it('a caller is a guest if the token is expired, of another kind, altered or unsigned', async () => {
  const { tokens } = servicesOf(reference)
  const token = await tokens.sign(table, row, 'auth')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const older = Buffer.from(JSON.stringify({ ...decodeJwt(token), exp: 9_999_999_999 })).toString('base64url')
  const hs512 = await new SignJWT(decodeJwt(token))
    .setProtectedHeader({ alg: 'HS512' })
    .sign(new TextEncoder().encode(`${row.values.tokenKey}${table.definition.authToken?.secret}`))
  const bad = [
    `${none}.${claims}.`,
    `${head}.${older}.${signature}`,
    hs512,
    'x',
    'a.b.c',
    await tokens.sign(table, row, 'file'),
  ]
  expect(await see(token)).toBe(200)
  for (const one of bad) expect(await see(one)).toBe(404)
  reference.clock.advance(60_000)
  expect(await see(token)).toBe(404)
})

it('a token ends with the token key, however recently it was verified', async () => {
  const token = await servicesOf(reference).tokens.sign(table, row, 'auth')
  expect(await see(token)).toBe(200)
  await servicesOf(reference).store.transaction((tx) =>
    tx.replace(table, row, { ...row.values, tokenKey: 'k'.repeat(50) }),
  )
  expect(await see(token)).toBe(404)
})

it.each(['constructor', 'toString', 'session'])('claims of kind %j are not those of a token', (type) => {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const tokenOf = (kind: string) =>
    `${encoded({ alg: 'HS256' })}.${encoded({ type: kind, id: 'a', collectionId: 'b', exp: 9 })}.c`
  expect(readClaims(tokenOf('auth'))).toMatchObject({ type: 'auth' })
  expect(readClaims(tokenOf(type))).toBeUndefined()
})
