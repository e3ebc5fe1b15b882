import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createHarWriter, type HarExchange } from './har-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-har-writer-'))
const file = join(folder, 'a.har')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exchange: HarExchange = {
  started: new Date(0),
  ms: 1,
  method: 'POST',
  url: 'http://127.0.0.1/a',
  requestHeaders: [],
  requestSize: 0,
  requestBody: undefined,
  status: 200,
  statusText: 'OK',
  responseHeaders: [],
  responseBody: undefined,
  comment: '',
}

/** What the file has of the last exchange. */
function recorded(...exchanges: Partial<HarExchange>[]) {
  const har = createHarWriter(file, { name: 'x', version: '1' })
  for (const each of exchanges) har.add({ ...exchange, ...each })
  har.close()
  return JSON.parse(readFileSync(file, 'utf8')).log.entries.at(-1)
}

it('can be read by its owner only', () => {
  recorded({})
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('has what passed, and the comment on it', () => {
  const body = Buffer.from('{"title":"a"}')
  const { request, response, comment } = recorded({
    requestBody: body,
    requestSize: body.length,
    responseBody: body,
    comment: 'the client went away',
  })
  expect(request).toMatchObject({ method: 'POST', url: 'http://127.0.0.1/a', bodySize: body.length })
  expect(request.postData.text).toBe(String(body))
  expect(response.content.text).toBe(String(body))
  expect(comment).toBe('the client went away')
  expect(recorded({})).not.toHaveProperty('comment')
})

it('omits a body that is binary: secrets cannot be found in it', () => {
  const binary = Buffer.from([0xff, 0xfe, 0x41])
  const { request, response } = recorded({ requestBody: binary, requestSize: 3, responseBody: binary })
  expect(request.postData).toMatchObject({ text: '', comment: expect.stringContaining('binary') })
  expect(response.content).toMatchObject({ size: 3, comment: expect.stringContaining('binary') })
  expect(response.content.text).toBeUndefined()
})

it('omits a body that would no longer be JSON: its validation would blame the server', () => {
  const requestBody = Buffer.from('{"password":12345678}')
  const sent = { requestBody, requestSize: requestBody.length }
  const { response } = recorded(sent, { responseBody: Buffer.from('{"number":9123456789}') })
  expect(response.content.comment).toContain('cannot be redacted')
  expect(readFileSync(file, 'utf8')).not.toContain('12345678')
})
