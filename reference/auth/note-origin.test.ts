import { expect, test } from 'vitest'
import { makeAuthWorld, password } from '../../test/support/auth-world.ts'

test('emails about a sign-in from a new location, except the first; keeps five, and their owner may delete them', async () => {
  const world = await makeAuthWorld()
  const { id } = await world.join('alert', 'ann@example.com')
  const enter = async (agent: string): Promise<string> => {
    const body = { identity: 'ann@example.com', password }
    const line = 'POST /collections/alert/auth-with-password'
    return (await world.call(line, body, undefined, { 'user-agent': agent })).body.token
  }
  const emails = () => world.reference.mail.outbox
  await enter('one')
  await enter('one')
  expect(emails()).toHaveLength(0)
  await enter('<two>')
  expect(emails()).toMatchObject([{ kind: 'login-alert', to: 'ann@example.com' }])
  expect(emails()[0]?.html).toContain('2030-01-01 00:00:00.000Z - 127.0.0.1 &lt;two&gt;')

  for (const agent of ['three', 'four', 'five', 'six']) await enter(agent)
  expect(emails()).toHaveLength(5)
  const token = await enter('one')
  expect(emails()).toHaveLength(6)
  const places = await world.call('GET /collections/_authOrigins/records', undefined, token)
  expect(places.body.totalItems).toBe(5)
  expect((await world.call('GET /collections/_authOrigins/records')).body.totalItems).toBe(0)
  const [place] = places.body.items
  const forget = `DELETE /collections/_authOrigins/records/${place.id}`
  expect((await world.call(forget)).status).toBe(404)
  expect((await world.call(forget, undefined, token)).status).toBe(204)

  const change = { password: 'password2', passwordConfirm: 'password2' }
  await world.call(`PATCH /collections/alert/records/${id}`, change, world.superuser)
  const left = await world.call('GET /collections/_authOrigins/records', undefined, world.superuser)
  expect(left.body.items.filter((one: { recordRef: string }) => one.recordRef === id)).toEqual([])
})

test('accepts a sign-in if its email fails, and tries again next time', async () => {
  const failures: unknown[] = []
  const world = await makeAuthWorld({
    mail: { smtp: { host: '127.0.0.1', port: 1 } },
    log: (error) => failures.push(error),
  })
  await world.join('alert', 'ann@example.com')
  for (const agent of ['one', 'two', 'two']) {
    const body = { identity: 'ann@example.com', password }
    const line = 'POST /collections/alert/auth-with-password'
    expect((await world.call(line, body, undefined, { 'user-agent': agent })).status).toBe(200)
  }
  expect(failures).toHaveLength(2)
  await world.reference.close()
})
