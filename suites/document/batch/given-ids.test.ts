import { describe, expect, it } from 'vitest'
import { idsLike } from './given-ids.ts'

/** The same strings each time, as `unique` gives them for one seed. */
function strings(): () => string {
  let n = 0
  return () => `id-${n++}`
}

describe('ids in the form of the server', () => {
  it.each([
    ['15 lower-case letters and digits', 'k2v9x0a7b3c5d1e', /^[a-z0-9]{15}$/],
    [
      'a UUID of any version',
      '01976f2e-7c1b-7d30-9a41-3f5b6c7d8e9f',
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ],
    [
      'a UUID in capitals',
      '7B0C2F6E-1A34-4C5D-8E9F-0A1B2C3D4E5F',
      /^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/,
    ],
    ['a ULID', '01M8JADN07319C7G86P6ACTAZS', /^01M8JADN07[0-9A-HJKMNP-TV-Z]{16}$/],
    ['a ULID in small letters', '01m8jadn07319c7g86p6actazs', /^01m8jadn07[0-9a-hjkmnp-tv-z]{16}$/],
    ['hexadecimal digits', '636683de245b5071', /^[0-9a-f]{16}$/],
    ['15 capitals and digits', 'K2V9X0A7B3C5D1E', /^[A-Z0-9]{15}$/],
    ['letters of both cases and digits', 'FGkEnLPZ5D9U', /^[A-Za-z0-9]{12}$/],
  ])('%s', (_, own, form) => {
    const next = idsLike(own)
    const unique = strings()
    const made = Array.from({ length: 50 }, () => next?.(unique))
    for (const id of made) expect(id).toMatch(form)
    expect(new Set(made).size).toBe(50)
    expect(made[0]).toBe(next?.(strings()))
  })

  it.each([
    [
      'a prefix before hexadecimal digits',
      ['rec_636683de245b5071', 'rec_6a0183de245b50ff'],
      /^rec_[0-9a-f]{16}$/,
    ],
    [
      'a prefix before a UUID',
      ['usr-01976f2e-7c1b-7d30-9a41-3f5b6c7d8e9f', 'usr-7b0c2f6e-1a34-4c5d-8e9f-0a1b2c3d4e5f'],
      /^usr-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ],
    ['two prefixes', ['eu.rec_aB3dE6gH9jKl', 'eu.rec_Zy8xW7vU6tSr'], /^eu\.rec_[A-Za-z0-9]{12}$/],
    ['base64url', ['F-kEnLPZ5D9U', 'x0_Ab3dE6gH9'], /^[\w-]{12}$/],
    ['a time', ['0ujtsYcgvSTl8PAuAdqWYSMnLOv', '0ujtsYc0pQrStUvWxYz12345678'], /^0ujtsYc[A-Za-z0-9]{20}$/],
  ])('%s', (_, owns, form) => {
    const next = idsLike(...owns)
    const unique = strings()
    const made = Array.from({ length: 50 }, () => next?.(unique))
    for (const id of made) expect(id).toMatch(form)
    expect(new Set(made).size).toBe(50)
  })

  it.each([
    ['whole numbers', ['1843', '1844'], 31],
    ['a prefix before numbers', ['no-1843', 'no-1844'], 31],
    ['numbers of 64 bits', ['7300000000000000001'], 63],
    ['numbers with zeros', ['000017'], 31],
  ])('%s', (_, owns, bits) => {
    const next = idsLike(...owns)
    const unique = strings()
    const number = (id = '') => BigInt(id.replace('no-', ''))
    const made = [...owns, ...Array.from({ length: 50 }, () => next?.(unique) ?? '')].map(number)
    for (const [at, each] of made.slice(owns.length).entries())
      expect(each - (made[at + owns.length - 1] ?? 0n)).toBeGreaterThanOrEqual(1_000n)
    expect(made.at(-1)).toBeLessThan(2n ** BigInt(bits))
  })

  it.each([
    [[17]],
    [['17', 18]],
    [['2000000000']],
    [['9300000000000000000']],
    [['rec_636683de245b5071']],
    [['rec_6a', 'rec_6b']],
    [['F-kEnLPZ5D9U']],
    [['abcdefgh', 'abcdefghi']],
    [['a/b+1==', 'a/b+2==']],
    [['']],
    [[]],
  ])('cannot be made like %j', (owns) => {
    expect(idsLike(...owns)).toBeUndefined()
  })
})
