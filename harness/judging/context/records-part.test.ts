import { expect, it, onTestFinished } from 'vitest'
import { startTestServer } from '../../../test/support/test-server.ts'
import { createSession } from '../../session/create-session.ts'
import { recordsPart } from './records-part.ts'

const plain = { role: 'plain', name: 'notes' }

/** Why a second record with the same title could not be created. */
async function rejectedWith(status: number): Promise<string> {
  let creates = 0
  const server = await startTestServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end('{}')
    creates += 1
    response.writeHead(creates === 1 ? 200 : status).end('{"id":"first0000000001"}')
  })
  onTestFinished(() => server.close())
  const target = { baseUrl: server.url, binding: {}, capabilities: {}, tables: { plain }, credentials: {} }
  const session = createSession(target, { requirements: new Map() }, { seed: 1 })
  onTestFinished(() => session.close())
  const { make } = recordsPart(session, new AbortController().signal)
  await make(plain, { title: 'same', rank: 1 })
  return make(plain, { title: 'same', rank: 2 }).then(
    () => 'none',
    (error: Error) => error.message,
  )
}

it.each([400, 409, 422])('a second record with the same title may be rejected for it: %i', async (status) => {
  expect(await rejectedWith(status)).toContain('one with the same "title" was created before')
})

it.each([402, 403, 507])('a quota or a permission is not about the values: %i', async (status) => {
  expect(await rejectedWith(status)).toMatch(new RegExp(`could not be created in notes: ${status} [^;]*$`))
})

it('makes records as the one who stands in for guests, who may see only its own', async () => {
  const senders: string[] = []
  const server = await startTestServer((request, response) => {
    if (request.method === 'POST') senders.push(request.headers.authorization ?? 'guest')
    response.writeHead(200).end(`{"id":"record00000000${senders.length}"}`)
  })
  onTestFinished(() => server.close())
  const lent = { ...plain, as: 'account' }
  const tables = { plain: lent, owned: { role: 'owned', name: 'notes' } }
  const credentials = { superuser: { token: 'of the superuser' } }
  const target = { baseUrl: server.url, binding: {}, capabilities: {}, tables, credentials }
  const session = createSession(target, { requirements: new Map() }, { seed: 1 })
  onTestFinished(() => session.close())
  session.standIns.set('notes', 'of an account')
  const { make } = recordsPart(session, new AbortController().signal)
  await make(tables.plain, { title: 'a' })
  await make(tables.owned, { title: 'b' })
  expect(senders).toEqual(['of an account', 'of the superuser'])
})

it('makes a record as a guest where a superuser may not', async () => {
  const senders: string[] = []
  const server = await startTestServer((request, response) => {
    const sender = request.headers.authorization ?? 'guest'
    if (request.method === 'POST') senders.push(sender)
    response.writeHead(sender === 'guest' ? 200 : 403).end('{"id":"record000000001"}')
  })
  onTestFinished(() => server.close())
  const credentials = { superuser: { token: 'of the superuser' } }
  const target = { baseUrl: server.url, binding: {}, capabilities: {}, tables: { plain }, credentials }
  const session = createSession(target, { requirements: new Map() }, { seed: 1 })
  onTestFinished(() => session.close())
  const { make } = recordsPart(session, new AbortController().signal)
  expect(await make(plain, { title: 'a' })).toMatchObject({ id: 'record000000001' })
  expect(senders).toEqual(['of the superuser', 'guest'])
})
