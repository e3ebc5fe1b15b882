import type { Leftover } from '../vocabulary/report.ts'

type Place = Pick<Leftover, 'table' | 'id'>

/** The id that is reported for a record whose id no response contained. */
const unknown = 'unknown'

/** What the run could not delete, for its report: each record once, with what kept it the last time. */
export class Leftovers {
  readonly #all: Leftover[] = []
  readonly #mayExist: Leftover[] = []

  /** In the order in which they were reported. */
  get all(): readonly Leftover[] {
    return this.#all
  }

  /** Number of those without an id: each is a separate create. */
  get withoutId(): number {
    return this.#all.filter(({ id }) => id === unknown).length
  }

  has(place: Place): boolean {
    return this.#find(place) !== undefined
  }

  report(place: Place, reason: string): void {
    const known = this.#find(place)
    if (known === undefined) this.#all.push({ table: place.table, id: place.id, reason })
    else known.reason = reason
  }

  /** Something was created, and neither request nor response contained its id: no one can delete it. */
  reportWithoutId(table: string, reason: string): void {
    this.#all.push({ table, id: unknown, reason })
  }

  /** A later attempt has deleted it. */
  drop(place: Place): void {
    const reported = this.#find(place)
    if (reported !== undefined) this.#all.splice(this.#all.indexOf(reported), 1)
  }

  /** A record may exist that cannot be found by its request: `resolveMayExist` finds out whether it does. */
  mayExist(table: string, reason: string): void {
    this.#mayExist.push({ table, id: unknown, reason })
  }

  /**
   * Reports the tables in which such a record exists. To be called at the end.
   *
   * @param nothingNew whether a table shows no record that was not there before the run, but those that are reported
   */
  async resolveMayExist(nothingNew: (table: string) => Promise<boolean>): Promise<void> {
    for (const leftover of this.#mayExist.splice(0))
      if (!(await nothingNew(leftover.table))) this.#all.push(leftover)
  }

  /** Takes over those of another part of the run, which has ended. */
  adopt(other: Leftovers): void {
    this.#all.push(...other.#all)
    this.#mayExist.push(...other.#mayExist.splice(0))
  }

  #find({ table, id }: Place): Leftover | undefined {
    return this.#all.find((each) => each.table === table && each.id === id)
  }
}
