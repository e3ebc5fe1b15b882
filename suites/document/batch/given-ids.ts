import { createHash } from 'node:crypto'
import { BlockedError, isRejected, UntestableError } from '../../../harness/judging/expect.ts'
import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { newId } from '../../shared/records/new-id.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

type Unique = CheckContext['unique']

/** 48 bits of time and 80 random ones, 5 bits for each character (Crockford's Base32). */
const ULID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Makes new ids of the same form as an id of the server.
 *
 * @param own an id of the server, which may be a number
 * @returns undefined if the form is not known
 */
export function idsLike(own: unknown): ((unique: Unique) => string) | undefined {
  if (typeof own !== 'string') return undefined
  if (/^[a-z0-9]{15}$/.test(own)) return newId
  if (/^[0-9a-f]{16,64}$/.test(own))
    return (unique) => createHash('sha256').update(unique('id')).digest('hex').slice(0, own.length)
  const cased = own === own.toUpperCase() ? (id: string) => id.toUpperCase() : (id: string) => id
  // With the time of that id: a server may reject another one.
  if (ULID.test(own) && cased(own.toLowerCase()) === own)
    return (unique) => own.slice(0, 10) + cased(randomPart(unique))
  return UUID.test(own) ? (unique) => cased(newUuid(unique)) : undefined
}

/**
 * Makes ids that a client may give to new records of the table. Whether any may be given is left open, and so is their
 * form: one is made in the form of the server's own and tried alone first.
 *
 * @throws UntestableError if the server takes none
 */
export async function givenIds(
  { api, make, unique }: CheckContext,
  table: TableRef,
  field: string,
): Promise<() => string> {
  const { id: own } = await make(table, { [field]: unique('own') })
  const next = idsLike(own)
  if (next === undefined) throw noOtherWay(`the suite cannot make ids like ${JSON.stringify(own)}`)
  const id = next(unique)
  const name = unique('given')
  const response = await api.create(table, { id, [field]: name })
  if (isRejected(response)) throw noOtherWay(`an id that a client chooses is rejected (${response.status})`)
  if (!response.ok) throw new BlockedError(`a create with an id returned ${response.status}`)
  const viewed = await api.view(table, id)
  if (!viewed.ok || (viewed.body as WireRecord)[field] !== name)
    throw noOtherWay('an id that a client chooses is ignored')
  return () => next(unique)
}

/** The same for `plain`; undefined if the server takes none, or shows no record that it could be seen in. */
export async function givenIdsIfPossible(context: CheckContext): Promise<(() => string) | undefined> {
  if (!context.mayExist('viewRecord')) return undefined
  return unlessPrevented(() => givenIds(context, context.table('plain'), 'title'))
}

/** How a record that a batch creates is referred to. */
export interface Referred {
  /** What its create sends in addition: an id, if the client chooses it. */
  given: { id?: string }
  /** What later sub-requests of the batch send as its id. */
  reference: string
}

/**
 * How a batch refers to a record that it creates: as the binding says, or by an id that the client chooses.
 *
 * @returns a function of the index of the sub-request that creates the record, from 0
 * @throws UntestableError if no way is known
 */
export async function referrals(
  context: CheckContext,
  table: TableRef,
  field: string,
): Promise<(index: number) => Referred> {
  const template = context.binding['batch.reference'] ?? ''
  if (template !== '')
    return (index) => ({
      given: {},
      reference: template.replaceAll('{index}', String(index)).replaceAll('{number}', String(index + 1)),
    })
  const nextId = await givenIds(context, table, field)
  return () => {
    const id = nextId()
    return { given: { id }, reference: id }
  }
}

function noOtherWay(fact: string): UntestableError {
  return new UntestableError(
    `${fact}, so the batch cannot refer to the parent it creates`,
    'if a sub-request can refer to a record that an earlier one creates, set "batch.reference" under "binding" in a ' +
      'target file, such as "{{{index}.id}}" for {{0.id}}',
  )
}

/** The random part of a ULID, made of a unique text, so the seed decides it. */
function randomPart(unique: Unique): string {
  const bytes = createHash('sha256').update(unique('id')).digest().subarray(0, 16)
  return Array.from(bytes, (byte) => BASE32[byte % 32]).join('')
}

/** A UUID of version 4, made in the same way. */
function newUuid(unique: Unique): string {
  const hex = createHash('sha256').update(unique('id')).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
