import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { fc } from '../test/support/seeded.ts'
import { curlLine, shellQuoted } from './curl.ts'
import type { Exchange } from './exchange.ts'

function exchange(request: Partial<Exchange['request']>): Exchange {
  return {
    number: 1,
    actor: 'guest',
    ms: 1,
    request: { method: 'GET', url: 'http://h/p', headers: {}, body: '', bytes: 0, ...request },
  }
}

describe('curl lines', () => {
  it('leave the names of secrets to the shell', () => {
    const line = curlLine(
      exchange({
        method: 'POST',
        headers: { authorization: '$TOKEN_SUPERUSER', 'content-type': 'application/json', accept: '*/*' },
        body: '{"password":"$PASSWORD","it":"it\'s"}',
      }),
    )
    expect(line).toBe(
      `curl -sS -X POST http://h/p -H 'authorization: '"$TOKEN_SUPERUSER" -H 'content-type: application/json' --data-raw '{"password":"'"$PASSWORD"'","it":"it'\\''s"}'`,
    )
  })

  it('contain every header that the response may depend on', () => {
    const byDefault = {
      accept: 'application/json, text/plain',
      connection: 'close',
      'content-length': '2',
      host: 'h',
      'user-agent': 'a',
    }
    expect(curlLine(exchange({ headers: { ...byDefault, 'x-conf': 'open' } }))).toBe(
      `curl -sS http://h/p -H 'x-conf: open'`,
    )
    expect(curlLine(exchange({ headers: { ...byDefault, accept: 'text/html,*/*;q=0.8' } }))).toBe(
      `curl -sS http://h/p -H 'accept: text/html,*/*;q=0.8'`,
    )
  })

  it.each<[string, Partial<Exchange['request']>, string]>([
    ['HEAD', { method: 'HEAD' }, '-I http://h/p'],
    ['brackets of a URL', { url: 'http://h/p?a[]={b}' }, `-g 'http://h/p?a[]={b}'`],
    ['dot segments', { url: 'http://h/a/../b' }, '--path-as-is http://h/a/../b'],
    ['an empty header', { headers: { 'x-conf': '' } }, `http://h/p -H 'x-conf;'`],
    [
      'a body without a media type',
      { method: 'POST', body: 'a' },
      `-X POST http://h/p -H 'content-type:' --data-raw a`,
    ],
  ])('send %s as it was', (_name, request, line) => {
    expect(curlLine(exchange(request))).toBe(`curl -sS ${line}`)
  })

  it('read a form that is too long for a report from a file, never the files that its values may name', () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const body = 'text=@/etc/passwd\nnote=line one\nline two\nfile=@a.txt (9000 bytes, text/plain)'
    expect(curlLine(exchange({ method: 'POST', headers, body, bytes: 9_000 }))).toBe(
      "curl -sS -X POST http://h/p -H 'content-type: multipart/form-data; boundary=x' --data-binary @body # 9000 bytes, too long for a report",
    )
  })

  it('write what a terminal does not show byte for byte, and on one line', () => {
    const bodies = ['a\tb', '-100%\r\n', 'C:\\n\n', '\u202eé', "it's\n$PASSWORD\n"]
    const lines = bodies.map((body) => curlLine(exchange({ method: 'POST', body })))
    const ofBytes = exchange({ method: 'POST', body: 'unreadable', octets: 'é\xff%' })
    const commands = [...lines, curlLine(ofBytes)].map((line) => line.replace(/ \| curl .*/, ''))
    expect(commands.join('')).not.toMatch(/[\t\r\n\u202e]/)
    const written = execFileSync('sh', ['-c', commands.join('; ')], {
      env: { ...process.env, PASSWORD: '%s' },
    })
    const expected = Buffer.from(bodies.join('').replace('$PASSWORD', '%s'))
    expect(written).toEqual(Buffer.concat([expected, Buffer.from('é\xff%', 'latin1')]))
  })

  it('contain a short body that only looks cut off', () => {
    expect(curlLine(exchange({ method: 'POST', body: '"…', bytes: 4 }))).toMatch(/ --data-raw '"…'$/)
  })

  it('give the shell exactly one word', () => {
    const text = fc
      .string({ unit: 'grapheme-ascii', minLength: 1 })
      .filter((each) => !/\$(TOKEN|PASSWORD|SECRET|KEY|CODE)/.test(each))
    fc.assert(
      fc.property(text, (word) => {
        expect(execFileSync('sh', ['-c', `printf %s ${shellQuoted(word)}`], { encoding: 'utf8' })).toBe(word)
      }),
      { numRuns: 40 },
    )
  })
})
