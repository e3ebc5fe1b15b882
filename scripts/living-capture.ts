/**
 * Records the exchanges of a scripted session between the official JavaScript client and the living server family, from
 * sign-up to a batch, and validates them: `tsx scripts/living-capture.ts [FILE]` writes one exchange per line, with secrets
 * replaced.
 *
 * If the server is not available (no `POCKETBASE_BIN`, no Go), it says so and exits with code 0.
 *
 * @module
 */

import { writeFile } from 'node:fs/promises'
import PocketBase from 'pocketbase'
import type { PlainExchange } from '../exchange/plain-exchange.ts'
import { Redactor } from '../exchange/secrets/redactor.ts'
import { tableDefinitions } from '../spec/tables.ts'
import { createCoverage, describeCoverage } from '../validate/coverage/create-coverage.ts'
import { createValidator } from '../validate/create-validator.ts'
import { describeResult } from '../validate/finding.ts'
import { livingBinary, startLivingServer } from './living/living-server.ts'

const redactor = new Redactor()
const exchanges: PlainExchange[] = []
const coverage = createCoverage()
// Definitions as the server has them: the tables' own fields are checked too.
const validator = createValidator({
  prefix: '/api',
  tables: tableDefinitions(),
  profile: 'standard',
  strict: true,
  coverage,
})

/** A fetch that keeps what it sees. The server is not asked to be good, so nothing is thrown. */
async function recording(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = String(input)
  const response = await fetch(input, init)
  const text = await response.clone().text()
  const { body } = init
  const payload = body instanceof FormData ? body.get('@jsonPayload') : body
  const sent = typeof payload === 'string' ? payload : ''
  const { status, headers } = response
  const exchange: PlainExchange = {
    request: {
      method: init.method ?? 'GET',
      url,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: sent,
    },
    response: { status, headers: { 'content-type': headers.get('content-type') ?? '' }, body: text },
  }
  const result = validator.validate(exchange)
  console.log(`${exchange.request.method} ${new URL(url).pathname} ${status}  ${describeResult(result)}`)
  const path = url.slice(new URL(url).origin.length)
  exchanges.push({
    request: { method: init.method ?? 'GET', url: redactor.url(path), body: redactor.body(sent, 'request') },
    response: { ...exchange.response, body: redactor.body(text, 'response') },
  })
  return response
}

async function rejected(work: () => Promise<unknown>): Promise<void> {
  await work().then(
    () => Promise.reject(new Error('a request that should have been rejected was executed')),
    () => undefined,
  )
}

async function tour(baseUrl: string, root: { identity: string; password: string }): Promise<void> {
  const client = new PocketBase(baseUrl)
  client.autoCancellation(false)
  client.beforeSend = (url, options) => ({ url, options: { ...options, fetch: recording } })
  const members = client.collection('conf_members')
  const password = 'correct horse battery'
  await members.listAuthMethods()
  await members.create({
    email: 'ann@example.com',
    username: 'ann',
    password,
    passwordConfirm: password,
    name: 'Ann',
  })
  await rejected(() => members.create({ email: 'nobody', password: 'x', passwordConfirm: 'y' }))
  await rejected(() => members.authWithPassword('ann@example.com', 'wrong password'))
  const { record } = await members.authWithPassword('ann@example.com', password)
  await members.authRefresh()
  await members.requestOTP('ann@example.com')
  await members.requestVerification('ann@example.com')
  await members.requestPasswordReset('ann@example.com')
  await rejected(() => members.confirmVerification('x.y.z'))
  const owned = client.collection('conf_owned')
  const mine = await owned.create({ title: 'mine', owner: record.id })
  await owned.getOne(mine.id, { expand: 'owner' })

  const related = client.collection('conf_related')
  const parent = await related.create({ name: 'parent', rank: 1 })
  for (const rank of [3, 2, 1]) await related.create({ name: `child ${rank}`, rank, parent: parent.id })
  await related.getList(1, 2, { sort: '-rank,name', filter: 'rank >= 1', expand: 'parent' })
  await related.getFullList({ sort: 'name', filter: `name ~ 'child'`, fields: 'id,name' })
  await related.getFirstListItem(client.filter('rank = {:rank}', { rank: 2 }))
  await rejected(() => related.getList(1, 2, { filter: 'rank ==' }))
  await related.update(parent.id, { name: 'renamed' })
  const everything = client.collection('conf_everything')
  const whole = await everything.create({
    text: 'a',
    number: 1.5,
    bool: true,
    email: 'a@example.com',
    url: 'https://example.com',
    editor: '<p>a</p>',
    date: '2024-01-02 03:04:05.678Z',
    select: 'a',
    selects: ['a', 'b'],
    json: { a: [1] },
    relation: parent.id,
    relations: [parent.id],
    password: 'never shown',
    geo: { lon: 1, lat: 2 },
    file: new File(['hello'], 'hello.txt', { type: 'text/plain' }),
  })
  await everything.getOne(whole.id, { fields: '*,text:excerpt(1)' })

  const batch = client.createBatch()
  batch.collection('conf_plain').create({ title: 'first' })
  batch.collection('conf_plain').create({ title: 'second' })
  batch.collection('conf_related').update(parent.id, { rank: 9 })
  batch.collection('conf_owned').delete(mine.id)
  await batch.send()
  const failing = client.createBatch()
  failing.collection('conf_plain').create({ title: 'never' })
  failing.collection('conf_plain').update('missing', { title: 'x' })
  await rejected(() => failing.send())

  // Two accidents of the family, which the profile does not follow: both are findings.
  const leaking = client.createBatch()
  leaking.collection('conf_everything').create({ text: 'b', password: 'shown in plain' })
  await leaking.send()
  await everything.getOne(whole.id, { fields: 'text:nothing(1)' })

  await rejected(() => client.collection('conf_locked').getList())
  await rejected(() => client.collection('nowhere').getList())
  const admin = new PocketBase(baseUrl)
  admin.beforeSend = client.beforeSend
  await admin.collection('_superusers').authWithPassword(root.identity, root.password)
  // The client's own way makes a client of its own, which is not recorded.
  await admin.send(`/api/collections/conf_members/impersonate/${record.id}`, {
    method: 'POST',
    body: { duration: 60 },
  })
  await members.delete(record.id)
}

async function capture(file: string | undefined): Promise<number> {
  const binary = await livingBinary()
  if ('missing' in binary) {
    console.log(`Not run: ${binary.missing}. Set POCKETBASE_BIN or install Go to run this.`)
    return 0
  }
  const server = await startLivingServer(binary.path)
  try {
    await server.call('PUT', '/api/collections/import', {
      deleteMissing: false,
      collections: tableDefinitions(),
    })
    const batch = { enabled: true, maxRequests: 50, timeout: 3, maxBodySize: 0 }
    await server.call('PATCH', '/api/settings', { batch, rateLimits: { enabled: false } })
    await tour(server.baseUrl, server.superuser)
  } finally {
    await server.stop()
  }
  console.log(describeCoverage(coverage.report()))
  if (file !== undefined) await writeFile(file, exchanges.map((each) => `${JSON.stringify(each)}\n`).join(''))
  return 0
}

process.exitCode = await capture(process.argv[2])
