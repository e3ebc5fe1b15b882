import type { Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'

/** Values for every type of field that JSON can write. */
export function fullBody({ unique }: CheckContext, related: readonly string[]): Body {
  return {
    text: unique('text'),
    number: 2 ** 53 - 1,
    bool: true,
    email: 'somebody@example.com',
    url: 'https://example.com/a?b=c',
    editor: `<p>${'edited '.repeat(10_000)}</p>`,
    date: '2024-02-29 12:00:00.000Z',
    select: 'b',
    selects: ['a', 'c'],
    json: { a: [1, null] },
    geo: { lon: 1.5, lat: -2 },
    relation: related[0] ?? '',
    relations: related,
    password: 'a password',
  }
}

/** The same with another value for each: no value of one record can be mistaken for a value of the other. */
export function otherBody({ unique }: CheckContext): Body {
  return {
    text: unique('other'),
    number: -0.5,
    bool: false,
    email: 'someone.else@example.org',
    url: 'http://example.org',
    editor: '<p>other</p>',
    date: '1969-07-20 20:17:40.123Z',
    select: 'c',
    selects: ['b'],
    json: ['other'],
    geo: { lon: -3, lat: 4.25 },
  }
}
