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
  ])('%s', (_, own, form) => {
    const next = idsLike(own)
    const unique = strings()
    const made = Array.from({ length: 50 }, () => next?.(unique))
    for (const id of made) expect(id).toMatch(form)
    expect(new Set(made).size).toBe(50)
    expect(made[0]).toBe(next?.(strings()))
  })

  it.each([17, '17', '64F0c2a9b1e4d83f5a6b7c8d', 'K2V9X0A7B3C5D1E', '01M8JADN07319c7g86p6actazs', ''])(
    'cannot be made like %j',
    (own) => {
      expect(idsLike(own)).toBeUndefined()
    },
  )
})
