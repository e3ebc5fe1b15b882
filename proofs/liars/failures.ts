/**
 * Creates that succeed and say that they failed.
 *
 * @module
 */

import { json } from '../faults/combinators/combinators.ts'
import { breaksOff, createEnds, every } from './combinators.ts'
import { liar } from './liar.ts'

const rejection = (status: number) => json(status, { status, message: 'It failed.', data: {} })

liar('a create succeeds with 500', { says: 'Every create is carried out and returns 500.', bare: true }, () =>
  createEnds(() => rejection(500)),
)

liar(
  'one create in five succeeds with 500',
  { says: 'One create in five is carried out and returns 500.', bare: true },
  () => createEnds(() => rejection(500), every(5)),
)

liar(
  'one create in five succeeds with 503',
  { says: 'One create in five is carried out and returns 503 and an HTML page, as by a proxy.' },
  () =>
    createEnds(
      () => new Response('<h1>Unavailable</h1>', { status: 503, headers: { 'content-type': 'text/html' } }),
      every(5),
    ),
)

liar(
  'one create in five succeeds with 400',
  { says: 'One create in five is carried out and returns 400.' },
  () => createEnds(() => rejection(400), every(5)),
)

liar(
  'one create in five succeeds with 409',
  { says: 'One create in five is carried out and returns 409, as if the record had been there.' },
  () => createEnds(() => rejection(409), every(5)),
)

liar(
  'one create in five redirects to another record',
  { says: 'One create in five is carried out and returns 303 and the Location of another record.' },
  ({ foreign, prefix }) =>
    createEnds((_body, { table }) => {
      const location = `${prefix}/collections/${table}/records/${foreign.next(table)}`
      return new Response(null, { status: 303, headers: { location } })
    }, every(5)),
)

liar(
  'the response to one create in twenty does not arrive',
  { says: 'One create in twenty is carried out, and then the connection ends without a response.' },
  () => breaksOff('createRecord', every(20)),
)

liar(
  'the response to one create in five is cut off',
  { says: 'The body of the response to one create in five ends in the middle, and is not JSON.' },
  () =>
    createEnds((body) => {
      const text = JSON.stringify(body)
      const headers = { 'content-type': 'application/json' }
      return new Response(text.slice(0, text.length / 2), { status: 200, headers })
    }, every(5)),
)
