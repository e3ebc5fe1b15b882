/**
 * Whose a record is. A request may change or delete a record only if it is proven to be this run's: its id did not
 * exist before the run, and it contains a mark from this run. A response to a create is not a proof: a server may
 * return a record that already existed, or name another one. docs/decisions/008.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../exchange/json-object.ts'
import { findIntended } from '../cleanup/find-intended.ts'
import { BlockedError } from '../judging/expect.ts'
import { NO_RECORD } from '../no-record.ts'
import { mappedTable } from '../target/mapped-table.ts'
import type { Api, ApiResponse } from '../vocabulary/api.ts'
import type { Leftover } from '../vocabulary/findings.ts'
import type { SessionOptions } from '../vocabulary/options.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { orderText } from '../wire/query-text.ts'
import type { WireRequest } from '../wire/transport.ts'
import { GuestView } from './guest-view.ts'
import { holdsMark, marksIn } from './marks.ts'
import { idOf, PriorRecords } from './prior-records.ts'
import { RecordNames } from './record-names.ts'
import { asksToWait, saysGone, tellsMissing } from './says-gone.ts'
import { leadsElsewhere, unusable } from './unusable.ts'
import { changes, writtenRecords } from './written-records.ts'

/** What a response named as created by this run. */
export interface OwnershipClaim {
  /** Path segment of the table. */
  table: string
  id: string
  /** Marks that the request put into it. */
  marks: readonly string[]
  /** Clients that may see it, tried in this order, after a superuser. */
  viewers: readonly (() => Promise<Api>)[]
}

/**
 * Whose a record is: this run's, nonexistent, another's, or unknown. The last two have a reason, as in "it is left
 * alone: …".
 */
export type Standing = 'ours' | 'gone' | { foreign: string } | { unknown: string }

interface Known extends OwnershipClaim {
  /** Scopes of the checks whose marks prove that it is ours: of this run, or of the killed run that created it. */
  scopes: ReadonlySet<string>
  proven: boolean
  /** Its time of creation when it was proven to be ours. */
  created?: unknown
  /** The body of this run's last update of it. */
  updated?: Readonly<Record<string, unknown>>
  /** Whether a view or a list has shown it, with any content. */
  seen: boolean
}

/** The parts of a run that are needed. */
type Run = Wire & {
  readonly scopes: ReadonlySet<string>
  readonly options: Pick<SessionOptions, 'exclusive'>
}

export class Ownership {
  readonly #session: Run
  readonly #known = new Map<string, Known>()
  /** Records that responses showed. */
  readonly #named = new Set<string>()
  readonly #dropped = new Set<string>()
  readonly #given = new Set<string>()
  /** Ids in responses, in lower case, of any table: a create that sends one of them did not generate it. */
  readonly #shownIds = new Set<string>()
  readonly #ownIds = new Set<string>()
  readonly #foreign = new Map<string, Leftover>()
  readonly #names: RecordNames
  readonly guests: GuestView
  readonly prior: PriorRecords

  /** @param prior what another session of the run has listed before its first create. @default nothing yet */
  constructor(session: Run, prior: PriorRecords = new PriorRecords(() => session.mostAble())) {
    this.#session = session
    this.#names = new RecordNames(session)
    this.guests = new GuestView(this.#names)
    this.prior = prior
  }

  /** Records that seemed to be this run's, or were named as such, and were left alone. */
  get foreign(): readonly Leftover[] {
    return [...this.#foreign.values()]
  }

  /** Call it before a request that may create something in the table. Tables without a role are ignored. */
  async beforeCreate(segment: string): Promise<void> {
    const table = mappedTable(this.#session, segment)
    if (table !== undefined) await this.#silently(() => this.prior.list(table.name))
  }

  /**
   * Call it when a response names a record as created.
   *
   * @returns `foreign` if it existed before the run, and `known` if an earlier create of this run made it: then this
   *   create made a different record
   */
  claim(claim: OwnershipClaim): 'new' | 'known' | 'foreign' {
    const { table, id } = claim
    const key = this.#key(table, id)
    this.#named.add(key)
    this.#shownIds.add(id.toLowerCase())
    if (this.prior.has(this.#name(table), id)) {
      this.leaveAlone(table, id, wasThere)
      return 'foreign'
    }
    const isKnown = this.#known.has(key)
    this.#known.set(key, { ...claim, scopes: this.#session.scopes, proven: false, seen: false })
    return isKnown ? 'known' : 'new'
  }

  /** Whether no list before the run and no response since has shown a record with this id. */
  isUnknown(table: string, id: unknown): id is string {
    if (typeof id !== 'string' || id === '') return false
    const key = this.#key(table, id)
    return !this.prior.has(this.#name(table), id) && !this.#known.has(key) && !this.#named.has(key)
  }

  /** Whether a create generated the id: no response, of any table, had shown it before. */
  isOwnId(id: string): boolean {
    const key = id.toLowerCase()
    if (!this.#shownIds.has(key)) this.#ownIds.add(key)
    return this.#ownIds.has(key)
  }

  /** Whether a response named the record as created by this run, or a list showed it as such. */
  isKnown(table: string, id: string): boolean {
    return this.#known.has(this.#key(table, id))
  }

  /** Call it when a create sent this id, and its response named another one. */
  gave(table: string, id: string): void {
    this.#given.add(this.#key(table, id))
  }

  /** Whether a record with this id exists because a create of this run sent the id, which no other record has. */
  wasGiven(table: string, id: string): boolean {
    return this.#given.has(this.#key(table, id)) && !this.prior.has(this.#name(table), id)
  }

  /** Takes over what a session of the same run, which has ended, knows of its records. */
  adopt(other: Ownership): void {
    for (const key of other.#named) this.#named.add(key)
    for (const key of other.#dropped) this.#dropped.add(key)
    for (const key of other.#given) this.#given.add(key)
    for (const [key, each] of other.#foreign) if (!this.#foreign.has(key)) this.#foreign.set(key, each)
  }

  /** Call it when the record is deleted: another one may get its id. */
  drop(table: string, id: string): void {
    const key = this.#key(table, id)
    if (this.#known.delete(key)) this.#dropped.add(key)
  }

  /** Whether a record with this id was this run's and should be deleted. */
  wasOurs(table: string, id: string): boolean {
    return this.#dropped.has(this.#key(table, id))
  }

  /** Learns from a response to a view or a list what it shows about this run's records. */
  saw(segment: string, records: readonly unknown[]): void {
    for (const record of records) {
      const id = idOf(record)
      if (id === undefined) continue
      this.#names.learn(segment, record)
      this.#shownIds.add(id.toLowerCase())
      const key = this.#key(segment, id)
      this.#named.add(key)
      const known = this.#known.get(key)
      if (known === undefined || known.proven) continue
      known.seen = true
      if (this.#shows(known, record)) prove(known, record)
    }
  }

  /**
   * Learns from the same response to a guest what a guest can see.
   *
   * @returns records of this run that no guest has seen before
   */
  sawAsGuest(segment: string, records: readonly unknown[]): Pick<OwnershipClaim, 'table' | 'id'>[] {
    return this.guests.saw(segment, records).flatMap((id) => this.#known.get(this.#key(segment, id)) ?? [])
  }

  /**
   * Call it when a record of this run was updated. The update may have replaced all of its marks, but its content is
   * still from this run.
   *
   * @param body as it was sent
   */
  updated(segment: string, id: string, body: Readonly<Record<string, unknown>>): void {
    const known = this.#known.get(this.#key(segment, id))
    if (known?.proven === true) known.updated = body
  }

  /**
   * Proves several records of one table with one list of the newest, where views would take a request each. Those that
   * the list does not show are viewed later. Without a superuser, or with few records, it does nothing.
   */
  async proveTogether(places: readonly Pick<OwnershipClaim, 'table' | 'id'>[]): Promise<void> {
    if (!this.#session.actors.knows('superuser') || this.#session.options.exclusive === true) return
    const unproven = new Map<string, number>()
    for (const { table, id } of places) {
      if (this.#known.get(this.#key(table, id))?.proven !== false || mayComeAgain(id)) continue
      unproven.set(this.#name(table), (unproven.get(this.#name(table)) ?? 0) + 1)
    }
    const sort = orderText(this.#session.binding, 'created', 'descending')
    for (const [name, count] of unproven) {
      if (count < fewestTogether) continue
      const perPage = Math.min(2 * count, mostTogether)
      const { ok, body } = await this.#silently(() =>
        this.#session.cleaner('superuser').list({ role: '', name }, { sort, perPage }),
      )
      if (ok && isObject(body) && Array.isArray(body.items)) this.saw(name, body.items)
    }
  }

  /** Whose a record is, from what is known, or by viewing it. */
  async standing(table: string, id: string): Promise<Standing> {
    const known = this.#known.get(this.#key(table, id))
    if (known?.proven === true && !mayComeAgain(id)) return 'ours'
    if (this.prior.has(this.#name(table), id)) return { foreign: wasThere }
    const reason = unusable(id)
    if (reason !== undefined) return { unknown: reason }
    if (known !== undefined && this.#session.options.exclusive === true) return 'ours'
    return this.#silently(() => this.#look(table, id, known))
  }

  /**
   * Whose a record is that the journal of a killed run names, or that was found by its text. A killed run's record
   * existed before this run, so only its content counts. A create of this run may have changed an existing record,
   * which remains another's.
   *
   * @param found with whether a guest has seen it
   * @param scopes scopes of the checks of the run that created it
   */
  async standingOfFound(
    { table, id, marks, seen = false }: Omit<OwnershipClaim, 'viewers'> & { seen?: boolean },
    scopes: ReadonlySet<string>,
  ): Promise<Standing> {
    const reason = unusable(id)
    if (reason !== undefined) return { unknown: reason }
    const isOfThisRun = scopes === this.#session.scopes
    if (isOfThisRun && this.prior.has(this.#name(table), id)) return { foreign: wasThere }
    // That a record under an id has this id proves nothing.
    const strings = marks.filter((mark) => mark !== id.toLowerCase())
    const wasVisible = !isOfThisRun && (seen || this.guests.showsAll(table))
    const found: Known = {
      table,
      id,
      marks: strings,
      viewers: [],
      scopes,
      proven: false,
      seen: wasVisible,
    }
    const standing = await this.#silently(() => this.#look(table, id, found))
    if (standing === 'ours') {
      found.seen = true
      this.prior.forget(this.#name(table), id)
      this.#known.set(this.#key(table, id), found)
    }
    return standing
  }

  /**
   * Call it before every request. It is the only protection of records that are not this run's.
   *
   * @throws BlockedError if a record that it would change or delete is not proven to be this run's
   */
  async expectOurs(request: Pick<WireRequest, 'method' | 'path' | 'body'>): Promise<void> {
    const { prefix } = makePaths(this.#session.binding)
    if (changes(request.method) && leadsElsewhere(request.path.split(/[?#]/, 1)[0] ?? ''))
      throw new BlockedError(
        `no ${request.method} is sent to ${short(request.path)}: a server might resolve it to another path`,
      )
    for (const { table, id, creates } of writtenRecords(request, prefix)) {
      if (id === undefined) {
        if (mappedTable(this.#session, table) === undefined) continue
        throw new BlockedError(
          `${request.method} to all records of ${table} is never sent: a server might change records that are not this run's`,
        )
      }
      if (creates !== true && leadsElsewhere(id))
        throw new BlockedError(
          `no ${request.method} is sent to ${short(id)} of ${table}: a server might resolve it to another path`,
        )
      if (creates === true && !this.prior.has(this.#name(table), id)) continue
      const standing = await this.standing(table, id)
      if (standing === 'ours' || standing === 'gone') continue
      const reason = 'foreign' in standing ? standing.foreign : standing.unknown
      const known = this.#known.has(this.#key(table, id))
      // An id that the check generated, and that no response ever named, belongs to no record.
      if (!('foreign' in standing) && !known && !this.#named.has(this.#key(table, id))) continue
      this.leaveAlone(table, id, reason)
      throw new BlockedError(
        `no ${request.method} is sent to the record ${short(id)} of ${table}, because it is not proven to be this run's: ${reason}`,
      )
    }
  }

  /** Records for the report that a record is not this run's, or not proven to be. */
  leaveAlone(table: string, id: string, reason: string): void {
    const key = this.#key(table, id)
    if (!this.#foreign.has(key)) this.#foreign.set(key, { table: this.#name(table), id: short(id), reason })
  }

  async #look(table: string, id: string, known: Known | undefined): Promise<Standing> {
    let last: ApiResponse | undefined
    let missing: ApiResponse | undefined
    const wasOurs = known !== undefined || this.wasOurs(table, id)
    for (const viewer of this.#viewers(known)) {
      const [api, ref] = [await viewer(), { role: '', name: table }]
      const response = await api.view(ref, id)
      if (response.ok && typeof response.body === 'object' && response.body !== null) {
        const shown = idOf(response.body)
        if (shown !== undefined && shown.toLowerCase() !== id.toLowerCase())
          return { foreign: `a view of it returned the record ${short(shown)}` }
        // In another case it may be one that existed before.
        if (shown !== undefined && shown !== id && this.prior.has(this.#name(table), shown))
          return { foreign: wasThere }
        if (!this.#shows(known, response.body)) return { foreign: 'it contains nothing that the run wrote' }
        if (known !== undefined) prove(known, response.body)
        return 'ours'
      }
      last = response
      if (wasOurs && !saysGone(response)) missing = await api.view(ref, NO_RECORD)
    }
    // The response for a missing record is unspecified: it is compared with that for a record that never existed.
    const isMissing = missing !== undefined && !asksToWait(missing) && missing.status === last?.status
    if (!saysGone(last) && !isMissing)
      return { unknown: `a view of it returned ${last?.status ?? 'no response'}` }
    // For anyone but a superuser, a 404 may also mean that the record is hidden.
    const certain = known === undefined || this.#session.actors.knows('superuser')
    if (certain && !isMissing) return 'gone'
    const intent = { table, field: 'id', value: id }
    const found = await findIntended(this.#session, this.#session.mostAble(), intent)
    if ('ids' in found && found.ids.length > 0) return { unknown: listed }
    // A client that is always rejected cannot list either. For records that the run itself deleted, a 4xx is enough.
    if (isMissing && 'reason' in found && (known !== undefined || !tellsMissing(missing?.status)))
      return { unknown: `a view of it returned ${last?.status ?? 'no response'}` }
    // The table may be gone, or another server may respond: that says nothing about a record of an earlier run.
    if ('reason' in found && known !== undefined && known.scopes !== this.#session.scopes)
      return { unknown: `its table cannot be listed: ${found.reason}` }
    return certain || known.seen
      ? 'gone'
      : { unknown: 'no view in this run returned it, and only a superuser could see whether it exists' }
  }

  #viewers(known: Known | undefined): readonly (() => Promise<Api>)[] {
    const session = this.#session
    if (session.actors.knows('superuser')) return [async () => session.cleaner('superuser')]
    return [...(known?.viewers ?? []), async () => session.cleaner('guest')]
  }

  #shows(known: Known | undefined, record: unknown): boolean {
    // A check may have changed its first values, the address of an account for example: any mark of the run is enough.
    if (known !== undefined && holdsUpdate(known, record)) return true
    return (
      holdsMark(record, known === undefined ? [] : tellingMarks(known)) ||
      marksIn(record, known?.scopes ?? this.#session.scopes).length > 0
    )
  }

  #silently<T>(work: () => Promise<T>): Promise<T> {
    return this.#session.recorder.silently(work)
  }

  #name(segment: string): string {
    return this.#names.table(segment)
  }

  #key(segment: string, id: string): string {
    return this.#names.record(segment, id)
  }
}

/**
 * The marks that prove whose a record is. An id that the run generated proves it only if the run sent no other mark:
 * another client may have deleted the record, and reused its id.
 */
function tellingMarks({ id, marks }: Known): readonly string[] {
  const strings = marks.filter((mark) => mark !== id.toLowerCase())
  return strings.length > 0 ? strings : marks
}

/** Call it when a view or a list has proven that the record is this run's. */
function prove(known: Known, record: unknown): void {
  known.proven = true
  known.created = isObject(record) ? record.created : undefined
}

/**
 * Whether a record is the proven one, by its time of creation, and contains the values of this run's last update, as
 * far as they are shown: passwords never are. Empty values may be shown in any form.
 */
function holdsUpdate({ created, updated = {} }: Known, record: unknown): boolean {
  if (!isObject(record) || typeof created !== 'string' || record.created !== created) return false
  // A less precise time may also be that of another record.
  if (!/\.\d{3}Z$/.test(created)) return false
  const shown = Object.entries(updated).filter(([key]) => key in record)
  return (
    shown.some(([, value]) => !isEmpty(value)) &&
    shown.every(
      ([key, value]) => isDeepStrictEqual(record[key], value) || (isEmpty(value) && isEmpty(record[key])),
    )
  )
}

const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Minimum length of an id that no server reuses. */
const lastingId = 12

/**
 * Whether a server may reuse the id for another client's record after this run's is deleted: then it is viewed each
 * time.
 */
function mayComeAgain(id: string): boolean {
  return id.length < lastingId
}

/** Records of one table that are proven with one list. A single one is viewed. */
const fewestTogether = 2
/** Page size of such a list. */
const mostTogether = 100

const listed = 'it is listed, but no view returns it'

const wasThere = 'it existed before the run'

/** An id as a report shows it: a server may return one of any length. */
function short(id: string): string {
  return id.length > 80 ? `${id.slice(0, 80)}… (${id.length} characters)` : id
}
