/**
 * The package in the test environments of front-end applications, which replace global classes: as it is installed, in
 * projects of Vitest. Only `npm run test:full` does.
 */

import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inFull } from '../scripts/support/in-full.ts'
import { type InstalledPackage, installPackage } from './support/installed-package.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
let user: InstalledPackage

const tests = `
import { createServer } from 'node:http'
import PocketBase from 'pocketbase'
import { createReference } from 'record-auth-conformance/reference'
import { conformingFetch, createValidator } from 'record-auth-conformance/validate'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'

const file = { name: 'file', type: 'file', maxSelect: 3 }
const tables = [
  { name: 'users', type: 'auth', viewRule: 'id = @request.auth.id', createRule: '', otp: { enabled: true } },
  { name: 'docs', listRule: '', viewRule: '', createRule: '', fields: [{ name: 'title', type: 'text' }, file] },
]
const path = '/api/collections/docs/records'
const json = { 'content-type': 'application/json' }
let reference
let client
beforeEach(() => {
  reference = createReference({ tables, prefix: '/api', passwordCost: 4 })
  client = new PocketBase('http://app.test')
  client.beforeSend = (url, options) => ({ url, options: { ...options, fetch: reference.fetch } })
})
afterEach(() => reference.close())
const content = async ({ id, file: [name] }) => (await reference.fetch(\`/api/files/docs/\${id}/\${name}\`)).text()

it('environment', () => expect(document.body.tagName).toBe('BODY'))
it('sign-in', async () => {
  const [ann] = await reference.make('users')
  await client.collection('users').authWithPassword(ann.email, 'password1234')
  expect((await client.collection('users').getOne(ann.id)).id).toBe(ann.id)
  await client.collection('users').authRefresh()
})
it('tokens', async () => {
  const [ann] = await reference.make('users')
  const own = '/api/collections/users/records/' + ann.id
  expect((await (await reference.as(ann)).fetch(own)).status).toBe(200)
  expect(await reference.tokenFor('users', ann.id)).toMatch(/^\\w/)
})
it('emails', async () => {
  const [ann] = await reference.make('users')
  await client.collection('users').requestPasswordReset(ann.email)
  const { token } = await reference.mail.waitFor({ to: ann.email })
  await client.collection('users').confirmPasswordReset(token, 'another1234', 'another1234')
  await client.collection('users').authWithPassword(ann.email, 'another1234')
})
it('a file of the client', async () => {
  const doc = await client.collection('docs').create({ title: 'a', file: [new File(['héllo'], 'ä "b".txt')] })
  expect(doc.file[0]).toMatch(/_\\w{10}\\.txt$/)
  expect(await content(doc)).toBe('héllo')
})
it('a form with a blob', async () => {
  const form = new FormData()
  form.append('title', 'a "b"')
  form.append('file', new Blob(['q']), 'q.txt')
  const created = await reference.fetch(path, { method: 'POST', body: form })
  const doc = await created.json()
  expect([created.status, doc.title, await content(doc)]).toEqual([200, 'a "b"', 'q'])
  const asGuest = await (await reference.as('guest')).fetch(path, { method: 'POST', body: form })
  expect(await content(await asGuest.json())).toBe('q')
})
it('files from code', async () => {
  expect(await content(await reference.records.create('docs', { file: [new File(['abc'], 'a.txt')] }))).toBe('abc')
  expect(() => createReference({ tables, records: { docs: [{ file: new File(['a'], 'a.txt') }] } })).toThrow(/records.create/)
})
it('a request that lost its file', async () => {
  const form = new FormData()
  form.append('file', new File(['abc'], 'a.txt'))
  const sent = reference.fetch(new Request('http://app.test' + path, { method: 'POST', body: form }))
  // The Request of happy-dom has the file.
  const doc = await sent.then((response) => response.json(), ({ message }) => message)
  expect(typeof doc === 'string' ? doc : await content(doc)).toMatch(/^abc$|Pass the form to fetch instead of a Request/)
})
it('bytes', async () => {
  const body = new TextEncoder().encode('{"title":"z"}')
  expect(await (await reference.fetch(path, { method: 'POST', headers: json, body })).json()).toMatchObject({ title: 'z' })
})
it('validation', async () => {
  await reference.make('docs', 2)
  const validator = createValidator({ prefix: '/api' })
  expect((await validator.validate(await reference.fetch(path))).findings).toEqual([])
  const body = await (await reference.fetch(path)).text()
  const request = { method: 'GET', url: path }
  for (const bytes of [new TextEncoder().encode(body), Buffer.from(body), new TextEncoder().encode(body).buffer])
    expect(validator.validate({ request, response: { status: 200, headers: json, body: bytes } }).ok).toBe(true)
})
it('validation of responses over a socket, whose bodies have arrived or not', async () => {
  const body = '{"page":1,"perPage":30,"totalItems":0,"totalPages":0,"items":[]}'
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('content-type', 'application/json')
    if (!request.url.includes('slow')) return response.end(request.url.includes('none') ? '' : body)
    response.write(body.slice(0, 9))
    setTimeout(() => response.end(body.slice(9)), 50)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.close())
  const url = 'http://127.0.0.1:' + server.address().port + path
  const validator = createValidator({ prefix: '/api' })
  for (const query of ['', '?slow']) {
    for (const wait of [0, 100]) {
      const response = await fetch(url + query)
      await pause(wait)
      expect((await validator.validate(response, { url, method: 'GET' })).findings).toEqual([])
      expect(response.bodyUsed).toBe(false)
      expect(await response.clone().text()).toBe(body)
      expect(await response.text()).toBe(body)
      await expect(response.text()).rejects.toThrow()
    }
    const streamed = await conformingFetch(fetch, { prefix: '/api' })(url + query)
    const { value } = await streamed.body.getReader().read()
    expect(new TextDecoder().decode(value)).toMatch(/^{"page":1/)
  }
  const { findings } = await validator.validate(await fetch(url + '?none'), { url, method: 'GET' })
  expect(findings.map(({ requirement }) => requirement)).toContain('wire.no-empty-success')
})
it('an aborted request', async () => {
  reference.fault({ match: 'listRecords', delay: 500 })
  const controller = new AbortController()
  const listed = reference.fetch(path, { signal: controller.signal })
  controller.abort()
  await expect(listed).rejects.toMatchObject({ name: 'AbortError' })
})
it('a socket', async () => {
  const { url } = await reference.listen()
  const overSocket = new PocketBase(url)
  expect((await overSocket.collection('docs').create({ title: 'x' })).title).toBe('x')
  expect((await overSocket.collection('docs').getList()).totalItems).toBe(1)
})
it('a state', async () => {
  await reference.records.create('docs', { title: 'kept', file: [new File(['abc'], 'a.txt')] })
  const other = createReference()
  await other.importState(JSON.parse(JSON.stringify(await reference.exportState())))
  expect((await other.records.find('docs', { title: 'kept' })).file).toHaveLength(1)
})
`

const environments = ['jsdom', 'happy-dom']

const config = `
const project = (environment) => ({ test: { name: environment, environment, include: ['dom-tests.test.js'] } })
const settings = { test: { projects: ${JSON.stringify(environments)}.map(project) } }
export { settings as default }
`

/** Jest's own environment `jsdom` lacks these classes. */
const asInJest = `
for (const name of ['TextDecoder', 'TextEncoder', 'setImmediate', 'Response', 'Request', 'Headers', 'ReadableStream', 'fetch', 'structuredClone'])
  delete globalThis[name]
const { createValidator } = await import('record-auth-conformance/validate')
const headers = { 'content-type': 'application/json' }
const body = Buffer.from('{"page":1,"perPage":30,"totalItems":0,"totalPages":0,"items":[]}')
const request = { method: 'GET', url: '/api/v1/collections/posts/records' }
console.log(createValidator().validate({ request, response: { status: 200, headers, body } }).ok)
await import('record-auth-conformance/reference').catch(({ message }) => console.log(message))
`

beforeAll(async () => {
  user = await installPackage()
  await symlink(join(root, 'node_modules/pocketbase'), join(user.folder, 'node_modules/pocketbase'))
  await writeFile(join(user.folder, 'dom-tests.test.js'), tests)
  await writeFile(join(user.folder, 'vitest.config.js'), config)
  await writeFile(join(user.folder, 'as-in-jest.mjs'), asInJest)
}, 240_000)
afterAll(() => user.remove())

it.runIf(inFull)(
  `the reference and the validator in ${environments.join(' and ')}`,
  async () => {
    const { stdout, stderr } = await user.run('npx', [
      'vitest',
      'run',
      '--reporter=json',
      '--outputFile=dom.json',
    ])
    const report = await readFile(join(user.folder, 'dom.json'), 'utf8').catch(() => stdout + stderr)
    const { testResults } = JSON.parse(report) as { testResults: { assertionResults: Result[] }[] }
    const results = testResults.flatMap(({ assertionResults }) => assertionResults)
    const failed = results.filter(({ status }) => status !== 'passed')
    expect(failed.map(({ title, failureMessages }) => [title, failureMessages[0]?.slice(0, 500)])).toEqual([])
    expect(results).toHaveLength(environments.length * 14)
  },
  120_000,
)

interface Result {
  title: string
  status: string
  failureMessages: string[]
}

it.runIf(inFull)(
  'where Jest leaves classes out, the validator works, and the reference names the next step',
  async () => {
    const { stdout } = await user.run('node', ['as-in-jest.mjs'])
    expect(stdout).toMatch(/^true\nThis test environment has no Response .* "jest-fixed-jsdom"/)
  },
)
