/**
 * Bodies of those who implement fetch in their own way. test/dom-environments.test.ts has happy-dom itself.
 */

import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { good, path } from '../../test/validate/responding-server.ts'
import { createValidator } from '../create-validator.ts'
import { peekBody } from './peek-body.ts'

const known = { method: 'GET', url: path }
const head = { status: 200, ok: true, headers: new Headers({ 'content-type': 'application/json' }) }

/** As node-fetch: the body is a stream of Node, and copies of it share its buffer. */
class ResponseOfNodeFetch {
  status = head.status
  headers = head.headers
  body: Readable
  readonly #used = false

  constructor(content: string) {
    this.body = Readable.from([Buffer.from(content)]).pipe(new PassThrough())
  }
  get bodyUsed() {
    return this.#used
  }
  clone(): never {
    throw new Error('never read: both copies would wait for each other')
  }
  text() {
    return text(this.body)
  }
}

/** As the polyfills of fetch: no stream at all. */
function polyfilled(content: string) {
  let used = false
  return {
    ...head,
    get bodyUsed() {
      return used
    },
    clone: () => polyfilled(content),
    async text() {
      used = true
      return content
    },
    arrayBuffer: async () => new TextEncoder().encode(content).buffer,
  }
}

describe.each([
  ['node-fetch', (content: string) => new ResponseOfNodeFetch(content)],
  ['a polyfill without streams', polyfilled],
])('a response of %s', (_, respond) => {
  it('is validated, and can still be read', async () => {
    const response = respond(good)
    expect((await createValidator().validate(response, known)).findings).toEqual([])
    expect(response.bodyUsed).toBe(false)
    expect(await response.text()).toBe(good)
  })

  it('may be empty', async () => {
    const { findings } = await createValidator().validate(respond(''), known)
    expect(findings.map(({ requirement }) => requirement)).toContain('wire.no-empty-success')
  })

  it('is not kept above the limit, and can still be read', async () => {
    const response = respond('x'.repeat(200_000))
    expect(await peekBody(response as unknown as Response, 1000)).toBeUndefined()
    expect(await response.text()).toHaveLength(200_000)
  })
})
