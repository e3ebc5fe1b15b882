/** Why a body is rejected: in the log, and not in the response. */

import { describe, expect, it } from 'vitest'
import { lettersPath, RejectingWorld, type SentRequest } from '../../test/support/rejecting-world.ts'

describe('a body is rejected', () => {
  it.each<[string, SentRequest, number, string]>([
    [
      'that is not JSON',
      { body: '{"title": "a",\n}' },
      400,
      'The body is not JSON: line 2, column 1: expected a key in double quotes, found }.',
    ],
    ['that is not an object', { body: [] }, 400, 'The body must be a JSON object; found an array.'],
    [
      'with a number that is too large',
      { body: '{"title": 1e999}' },
      400,
      'The body is not JSON that a double can hold: a number is too large.',
    ],
    [
      'of another media type',
      { body: 'title: a', type: 'text/yaml' },
      400,
      'The media type of the body is "text/yaml": send application/json, multipart/form-data or application/x-www-form-urlencoded.',
    ],
    [
      'of a form with a semicolon',
      { body: 'a=1;b=2', type: 'application/x-www-form-urlencoded' },
      400,
      'The form contains a ";", which may be meant as "&": write "&", or "%3B" in a value.',
    ],
    [
      'of a form with malformed escapes',
      { body: 'a=%zz', type: 'application/x-www-form-urlencoded' },
      400,
      'The percent-encoding of the form is malformed.',
    ],
    [
      'of a multipart form without a boundary',
      { body: 'x', type: 'multipart/form-data' },
      400,
      'The multipart form is malformed: its Content-Type has no boundary, or one of more than 200 characters: leave the header out, and the client sets it.',
    ],
    [
      'of a multipart form that is cut short',
      {
        body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
        type: 'multipart/form-data; boundary=x',
      },
      400,
      'The multipart form is malformed: the last part does not end with the boundary.',
    ],
    [
      'with a malformed payload',
      { body: '@jsonPayload={', type: 'application/x-www-form-urlencoded' },
      400,
      'The value of "@jsonPayload" is not JSON: line 1, column 2: expected a key in double quotes or "}", found its end.',
    ],
  ])('%s', async (_, init, status, reason) => {
    expect(await new RejectingWorld().rejected(lettersPath, init)).toEqual([status, [reason]])
  })

  it('that is too long', async () => {
    const world = new RejectingWorld({ batch: { enabled: true, maxBodySize: 10 } })
    expect(await world.rejected('batch', { body: { requests: [] } })).toEqual([
      413,
      ['The body is longer than 10 bytes, the most that this operation reads here.'],
    ])
  })

  it('that has a wrong type where a sign-in reads it, with the fault of JSON too', async () => {
    const path = 'collections/members/auth-with-password'
    expect(await new RejectingWorld().rejected(path, { body: { identity: 5 } })).toEqual([
      400,
      ['"identity" of the body is not a string.'],
    ])
    expect(await new RejectingWorld().rejected(path, { body: 'identity=' })).toEqual([
      400,
      ['The body is not JSON: line 1, column 1: expected a value.'],
    ])
  })
})
