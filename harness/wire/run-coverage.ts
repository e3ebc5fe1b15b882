/**
 * What the checks of a session have sent and seen, in the rows of the coverage. The first look at the target, the
 * sign-in of actors, looks at foreign records and the clean-up belong to no check and are not counted: how many there
 * are depends on how a run is spread over workers.
 *
 * @module
 */

import type { OperationId } from '../../spec/vocabulary.ts'
import { ActorsByToken } from '../../validate/coverage/actors.ts'
import { seenExchange } from '../../validate/coverage/seen-exchange.ts'
import { type OpenRow, type RowsByOperation, SeenRows } from '../../validate/coverage/seen-rows.ts'
import type { ServerNames } from '../../validate/coverage/sent-parameters.ts'
import type { WholeExchange } from '../../validate/coverage/whole-exchange.ts'
import type { Target } from '../vocabulary/target.ts'
import { serverNames } from './target-names.ts'

/** What checks share: each check that uses it has sent it. */
export interface SharedRows {
  readonly rows: ReadonlySet<OpenRow>
  close(): void
}

export class RunCoverage {
  readonly #rows = new SeenRows()
  readonly #actors: ActorsByToken
  readonly #names = new Map<OperationId, ServerNames>()
  readonly #target: Pick<Target, 'binding'>
  readonly #shared = new Set<Set<OpenRow>>()

  /** @param target whose binding may be completed before its names are used */
  constructor(target: Pick<Target, 'binding' | 'credentials'>) {
    const { credentials } = target
    this.#target = target
    this.#actors = new ActorsByToken(credentials.superuser?.signIn?.table)
    for (const [name, { token, scope }] of Object.entries(credentials)) {
      if (token === undefined) continue
      const other = scope === undefined ? 'user' : 'apiKey'
      this.#actors.know(token, name === 'superuser' ? 'superuser' : other)
    }
  }

  /**
   * To be called once for each exchange that is judged.
   *
   * @param check that sent it; undefined if none did: then only a token that it gives is remembered
   */
  record(exchange: WholeExchange, check: string | undefined): void {
    const seen = seenExchange(exchange, this.#actors, this.#namesOf(exchange.operation))
    if (check === undefined) return
    this.#add(this.#rows.row(seen), check)
  }

  /** A key that was made without the interface. */
  knowApiKey(key: string): void {
    this.#actors.know(key, 'apiKey')
  }

  /** Collects the rows of what is sent until it is closed, for the checks that share it. Scopes may nest. */
  share(): SharedRows {
    const rows = new Set<OpenRow>()
    this.#shared.add(rows)
    return { rows, close: () => void this.#shared.delete(rows) }
  }

  /** Another check uses what was sent before: it counts for this one as well. */
  recall({ rows }: SharedRows, check: string): void {
    for (const row of rows) this.#add(row, check)
  }

  rows(): RowsByOperation {
    return this.#rows.byOperation()
  }

  #add(row: OpenRow, check: string): void {
    row.requirements.add(check)
    for (const shared of this.#shared) shared.add(row)
  }

  #namesOf(operation: OperationId): ServerNames {
    let names = this.#names.get(operation)
    if (names === undefined) {
      names = serverNames(operation, this.#target.binding)
      this.#names.set(operation, names)
    }
    return names
  }
}
