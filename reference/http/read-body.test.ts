import { describe, expect, it } from 'vitest'
import { createClock, createEnvironment } from '../environment/environment.ts'
import { defaultLimits } from '../limits/limits.ts'
import { Work } from '../limits/work.ts'
import { readBody } from './read-body.ts'

const environment = createEnvironment({ clock: createClock(), seed: 1 })

function read(
  body: BodyLike,
  type: string,
  limit = 1000,
  headers: Record<string, string> = {},
  limits = defaultLimits,
) {
  const request = new Request('http://reference.invalid/', {
    method: 'POST',
    headers: { ...(type !== '' && { 'content-type': type }), ...headers },
    body,
    duplex: 'half',
  } as RequestInit)
  return readBody(request, limit, { services: { environment, limits }, work: new Work(limits) })
}

type BodyLike = string | Uint8Array | ReadableStream

const crlf = (...lines: string[]) => lines.join('\r\n')

describe('a body', () => {
  it('is read as multipart with a short boundary, escapes and a preamble', async () => {
    const text = crlf(
      'preamble',
      '--b',
      'Content-Disposition: form-data; name="a \\"quoted\\" name"',
      '',
      'true',
      '--b',
      "content-disposition: form-data; name=docs; filename*=UTF-8''%C3%BCber.txt",
      'Content-Type: text/html',
      '',
      'line one\r\nline two\r\n',
      '--b--',
      'epilogue',
    )
    const { values, files, inferred } = await read(text, 'multipart/form-data; boundary=b')
    expect({ ...values }).toEqual({ 'a "quoted" name': true })
    const [upload] = files.get('docs') ?? []
    expect(upload).toMatchObject({ originalName: 'über.txt', type: 'text/plain' })
    expect(Buffer.from(upload?.bytes ?? []).toString()).toBe('line one\r\nline two\r\n')
    expect(inferred).toBe(true)
  })

  it.each([
    ['no boundary', 'multipart/form-data', '--b--'],
    ['no such boundary', 'multipart/form-data; boundary=c', '--b--'],
    [
      'no end',
      'multipart/form-data; boundary=b',
      crlf('--b', 'Content-Disposition: form-data; name="a"', '', 'x'),
    ],
    [
      'no name',
      'multipart/form-data; boundary=b',
      crlf('--b', 'Content-Disposition: form-data', '', 'x', '--b--'),
    ],
    ['no headers', 'multipart/form-data; boundary=b', crlf('--b', '', 'x', '--b--')],
    ['not UTF-8', 'application/json', new Uint8Array([0x22, 0xff, 0x22])],
    ['a semicolon for an ampersand', 'application/x-www-form-urlencoded', 'a=1;b=2'],
    ['too deep', 'application/json', `{"a":${'['.repeat(600)}${']'.repeat(600)}}`],
  ])('is rejected with 400: %s', async (_, type, body) => {
    await expect(read(body, type, 10_000)).rejects.toMatchObject({ status: 400 })
  })

  it('is rejected with 400 if the name of a part is extremely long', async () => {
    const name = 'a'.repeat(25_000_000)
    const body = crlf('--b', `Content-Disposition: form-data; name="${name}"`, '', 'x', '--b--')
    await expect(read(body, 'multipart/form-data; boundary=b', 30_000_000)).rejects.toMatchObject({
      status: 400,
    })
  })

  it('has no half of a surrogate pair', async () => {
    const body = String.raw`{"a\ud800":["\udc00","\ud83d\udc18",{"b":"\\ud800"}]}`
    const { values } = await read(body, 'application/json')
    expect({ ...values }).toEqual({ 'a\ufffd': ['\ufffd', '🐘', { b: String.raw`\ud800` }] })
  })

  it('has no special keys', async () => {
    const { values } = await read('{"__proto__":{"admin":true},"constructor":1}', 'application/json')
    expect(Object.keys(values)).toEqual(['__proto__', 'constructor'])
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  it('is rejected with 413 by its announced length and by its real length', async () => {
    await expect(read('{}', 'application/json', 1)).rejects.toMatchObject({ status: 413 })
    await expect(read('{ }', 'application/json', 2, { 'content-length': '1' })).rejects.toMatchObject({
      status: 413,
    })
    await expect(read('{}', 'application/json', 100, { 'content-length': '101' })).rejects.toMatchObject({
      status: 413,
    })
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(100))
      },
    })
    await expect(read(endless, 'application/json', 1000)).rejects.toMatchObject({ status: 413 })
    expect(pulled).toBeLessThan(20)
  })

  it('infers numbers of forms only if nothing is lost, and repeats become lists', async () => {
    const form = 'a=1&b=01&c=1.50&d=-2.5&e=true&f=&g=1e3&a=x&h=%2B1&@jsonPayload=%7B%22b%22%3A%5B%5D%7D'
    const { values } = await read(form, 'application/x-www-form-urlencoded; charset=utf-8')
    expect({ ...values }).toEqual({
      a: [1, 'x'],
      b: [],
      c: '1.50',
      d: -2.5,
      e: true,
      f: '',
      g: '1e3',
      h: '+1',
    })
  })
})

it('decodes a long value of a web form in pieces that no character is cut by', async () => {
  const value = `${'%41'.repeat(87_381)}%C3%A9%F0%9F%90%98+%26`.repeat(4)
  const { values } = await read(`a=${value}`, 'application/x-www-form-urlencoded', 10_000_000)
  expect(values.a).toBe(decodeURIComponent(value.replaceAll('+', ' ')))
  const broken = `a=${'%41'.repeat(200_000)}%C3`
  await expect(read(broken, 'application/x-www-form-urlencoded', 10_000_000)).rejects.toMatchObject({
    status: 400,
  })
})

it('reads no number into megabytes of digits', async () => {
  const digits = '9'.repeat(12_000_000)
  const form = await read(`a=${digits}`, 'application/x-www-form-urlencoded', 20_000_000)
  expect(form.values.a).toBe(digits)
  const json = await read(`{"a":"${digits}"}`, 'application/json', 20_000_000)
  expect(json.values.a).toBe(digits)
  await expect(read(`{"a":${digits}}`, 'application/json', 20_000_000)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('digits in a number'),
  })
})
