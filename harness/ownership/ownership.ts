/**
 * Whose a record is. A request may change or delete a record only if it is proven to be this run's: its id did not
 * exist before the run, and it contains a mark from this run. A response to a create is not a proof: a server may
 * return a record that already existed, or name another one. docs/decisions/008.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { BlockedError } from '../judging/expect.ts'
import { mappedTable } from '../target/mapped-table.ts'
import type { SessionOptions } from '../vocabulary/options.ts'
import type { Leftover } from '../vocabulary/report.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { makePaths } from '../wire/paths.ts'
import { orderText } from '../wire/query-text.ts'
import type { WireRequest } from '../wire/transport.ts'
import { GuestView } from './guest-view.ts'
import { holdsProof, isReusable, type KnownRecord, type OwnershipClaim, prove } from './holds-proof.ts'
import { idOf, PriorRecords } from './prior-records.ts'
import { RecordNames } from './record-names.ts'
import {
  existedBefore,
  type Standing,
  shortId,
  standingByView,
  unproven,
  viewsAreRejected,
} from './standing-by-view.ts'
import { leadsElsewhere, unusable } from './unusable.ts'
import { changes, writtenRecords } from './written-records.ts'

/** The parts of a run that it uses. */
type Run = Wire & {
  readonly scopes: ReadonlySet<string>
  readonly options: Pick<SessionOptions, 'exclusive'>
}

export class Ownership {
  readonly #session: Run
  readonly #known = new Map<string, KnownRecord>()
  /** Records that responses showed. */
  readonly #named = new Set<string>()
  /** Records that should be deleted by now, with their times of creation as far as they are proven. */
  readonly #dropped = new Map<string, unknown>()
  readonly #given = new Set<string>()
  /** Ids in responses, in lower case, of any table: a create that sends one of them did not generate it. */
  readonly #shownIds = new Set<string>()
  readonly #generatedIds = new Set<string>()
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
      this.leaveAlone(table, id, existedBefore)
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
  isGeneratedId(id: string): boolean {
    const key = id.toLowerCase()
    if (!this.#shownIds.has(key)) this.#generatedIds.add(key)
    return this.#generatedIds.has(key)
  }

  /** The table with a role that a path segment names, perhaps by an identifier that records have shown. */
  mapped(segment: string): TableRef | undefined {
    return mappedTable(this.#session, this.#name(segment))
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
    for (const [key, created] of other.#dropped) this.#dropped.set(key, created)
    for (const key of other.#given) this.#given.add(key)
    for (const [key, each] of other.#foreign) if (!this.#foreign.has(key)) this.#foreign.set(key, each)
  }

  /** Call it when the record is deleted: another one may get its id. */
  drop(table: string, id: string): void {
    const key = this.#key(table, id)
    const known = this.#known.get(key)
    if (known === undefined) return
    this.#known.delete(key)
    this.#dropped.set(key, known.created)
  }

  /**
   * Whether a listed record is one that should be deleted. Another client's record may have got a short id since: then only
   * the time of creation shows that it is the same one.
   */
  isUndeleted(table: string, id: string, { created }: Readonly<Record<string, unknown>>): boolean {
    const key = this.#key(table, id)
    if (!this.#dropped.has(key)) return false
    return !isReusable(id) || (created !== undefined && this.#dropped.get(key) === created)
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
      if (holdsProof(known, record, this.#session.scopes)) prove(known, record)
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
    const counts = new Map<string, number>()
    for (const { table, id } of places) {
      if (this.#known.get(this.#key(table, id))?.proven !== false || isReusable(id)) continue
      counts.set(this.#name(table), (counts.get(this.#name(table)) ?? 0) + 1)
    }
    const sort = orderText(this.#session.binding, 'created', 'descending')
    for (const [name, count] of counts) {
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
    if (known?.proven === true && !isReusable(id)) return 'ours'
    if (this.prior.has(this.#name(table), id)) return { foreign: existedBefore }
    const reason = unusable(id)
    if (reason !== undefined) return { unknown: reason }
    if (known !== undefined && this.#session.options.exclusive === true) return 'ours'
    return this.#viewed(table, id, known)
  }

  /** Whether views show that a record of this run no longer exists. */
  async isGone(table: string, id: string): Promise<boolean> {
    return (await this.#viewed(table, id, this.#known.get(this.#key(table, id)))) === 'gone'
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
    if (isOfThisRun && this.prior.has(this.#name(table), id)) return { foreign: existedBefore }
    // That a record under an id has this id proves nothing.
    const strings = marks.filter((mark) => mark !== id.toLowerCase())
    const wasVisible = !isOfThisRun && (seen || this.guests.showsAll(table))
    const found: KnownRecord = {
      table,
      id,
      marks: strings,
      viewers: [],
      scopes,
      proven: false,
      seen: wasVisible,
    }
    const standing = await this.#viewed(table, id, found)
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
        `no ${request.method} is sent to ${shortId(request.path)}: a server might resolve it to another path`,
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
          `no ${request.method} is sent to ${shortId(id)} of ${table}: a server might resolve it to another path`,
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
        `no ${request.method} is sent to the record ${shortId(id)} of ${table}, because it is not proven to be this run's: ${reason}${viewsAreRejected(reason) ? '' : this.#advice(table, reason)}`,
      )
    }
  }

  /** A superuser sees all fields, and so what proves it. */
  #advice(segment: string, reason: string): string {
    const table = mappedTable(this.#session, segment)
    if (reason === unproven && table?.existing === true)
      return `. If ${table.name} has the fields of the role "${table.role}" under other names, map them under "fields" in the target file`
    return this.#session.actors.knows('superuser')
      ? ''
      : '. With the credentials of a superuser, the run may see more of it'
  }

  /** Records for the report that a record is not this run's, or not proven to be. */
  leaveAlone(table: string, id: string, reason: string): void {
    const key = this.#key(table, id)
    if (!this.#foreign.has(key)) this.#foreign.set(key, { table: this.#name(table), id: shortId(id), reason })
  }

  #viewed(table: string, id: string, known: KnownRecord | undefined): Promise<Standing> {
    const wasOurs = known !== undefined || this.wasOurs(table, id)
    const isPrior = (shown: string) => this.prior.has(this.#name(table), shown)
    const isVisible = this.guests.showsAll(table)
    return this.#silently(() =>
      standingByView(this.#session, { table, id, known, wasOurs, isVisible, isPrior }),
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

/** Records of one table that are proven with one list. A single one is viewed. */
const fewestTogether = 2
/** Page size of such a list. */
const mostTogether = 100
