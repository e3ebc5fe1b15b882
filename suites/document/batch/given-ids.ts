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

/** Of the characters of ids that have no other form: the first that has all of them. */
const ALPHABETS = [
  '0123456789abcdef',
  '0123456789ABCDEF',
  '0123456789abcdefghijklmnopqrstuvwxyz',
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
] as const

/** Minimum number of characters that are made up: others must not have the same. */
const fewestMade = 8

/**
 * Makes new ids of the same form as ids of the server.
 *
 * @param owns ids of the server, which may be numbers. Only several of them show what all begin with
 * @returns undefined if the form is not known
 */
export function idsLike(...owns: readonly unknown[]): ((unique: Unique) => string) | undefined {
  const ids = owns.filter((own) => typeof own === 'string')
  const [own] = ids
  if (own === undefined || ids.length < owns.length) return undefined
  if (ids.every((id) => /^\d+$/.test(id))) return numbersAbove(ids)
  const same = begunAlike(ids)
  const [prefix = ''] = /^.*[_.:-]/.exec(same) ?? []
  const known = ofKnownForm(own)
  if (known !== undefined || prefix === '') return known ?? likeAll(ids, same)
  const next = idsLike(...ids.map((id) => id.slice(prefix.length)))
  return next && ((unique) => prefix + next(unique))
}

/** Whether new ids of the form of this one can be made without others to compare it with. */
function ofKnownForm(own: string): ((unique: Unique) => string) | undefined {
  if (/^[a-z0-9]{15}$/.test(own)) return newId
  if (/^[0-9a-f]{16,64}$/.test(own))
    return (unique) => createHash('sha256').update(unique('id')).digest('hex').slice(0, own.length)
  const cased = own === own.toUpperCase() ? (id: string) => id.toUpperCase() : (id: string) => id
  // With the time of that id: a server may reject another one.
  if (ULID.test(own) && cased(own.toLowerCase()) === own)
    return (unique) => own.slice(0, 10) + cased(randomPart(unique))
  return UUID.test(own) ? (unique) => cased(newUuid(unique)) : undefined
}

/** Whether an id shows its form without others. */
function shows(own: unknown): boolean {
  return typeof own === 'string' && ofKnownForm(own) !== undefined
}

/** Characters of the same kinds, as many, after what all begin with: that may be a time. */
function likeAll(ids: readonly string[], same: string): ((unique: Unique) => string) | undefined {
  const [{ length } = ''] = ids
  const alphabet = ALPHABETS.find((each) => ids.every((id) => [...id].every((part) => each.includes(part))))
  if (alphabet === undefined || ids.some((id) => id.length !== length)) return undefined
  // Of a single id, they may end a prefix.
  if (length < fewestMade || length > 64 || (ids.length === 1 && /[_-]/.test(ids[0] ?? ''))) return undefined
  const kept = same.slice(0, Math.min(same.length, length - fewestMade))
  return (unique) => {
    const bytes = createHash('sha512').update(unique('id')).digest().subarray(kept.length, length)
    return kept + Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
  }
}

/** The greatest whole number of 31 bits, and of 63. */
const GREATEST = [2n ** 31n - 1n, 2n ** 63n - 1n] as const

/**
 * Numbers above those of the server, which may count on from the greatest that it has: far enough apart that it does not
 * meet the next one, but not so far that many runs use up the numbers that there are.
 */
function numbersAbove(ids: readonly string[]): ((unique: Unique) => string) | undefined {
  const [own = ''] = ids
  const seen = ids.map(BigInt).reduce((most, each) => (each > most ? each : most))
  const greatest = GREATEST.find((each) => seen <= each)
  if (greatest === undefined || seen > greatest - greatest / 8n) return undefined
  let last: bigint | undefined
  return (unique) => {
    const random = BigInt(`0x${createHash('sha256').update(unique('id')).digest('hex').slice(0, 12)}`)
    last = last === undefined ? seen + 10_000n + (random % 90_000n) : last + 1_000n + (random % 1_000n)
    return String(last).padStart(own.startsWith('0') ? own.length : 0, '0')
  }
}

/** What several ids all begin with. */
function begunAlike([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return ''
  const end = [...first].findIndex((_, at) => others.some((other) => other[at] !== first[at]))
  return end === -1 ? first : first.slice(0, end)
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
  const nextOwn = async () => (await make(table, { [field]: unique('own') })).id
  const owns = [await nextOwn()]
  if (!shows(owns[0])) owns.push(await nextOwn(), await nextOwn())
  const next = idsLike(...owns)
  if (next === undefined) throw noOtherWay(`the suite cannot make ids like ${JSON.stringify(owns[0])}`)
  const id = next(unique)
  // A server may overwrite the record that has it.
  if ((await api.view(table, id)).ok) throw noOtherWay(`the id ${JSON.stringify(id)} is taken`)
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
