/**
 * The current state and who may replace it. A state (`root.ts`) never changes; `reader.ts` reads one, `writer.ts`
 * prepares the next.
 *
 * @module
 */

import type { Reader, Table, Writer } from '../vocabulary.ts'
import type { Change, Commit } from './commit.ts'
import { RootReader } from './reader.ts'
import { emptyRoot, type Root } from './root.ts'
import { StateRestored } from './state-restored.ts'
import { emptyTableData } from './table-data.ts'
import { TransactionWriter } from './writer.ts'

/** The whole state of a store, by reference: taking and restoring a snapshot takes constant time. */
export interface Snapshot {
  readonly root: Root
}

/**
 * Tables and records in memory. Readers see the last committed state. Writers run one after another, and a failed one
 * leaves no trace.
 */
export class Store {
  #root: Root
  #reader: RootReader
  #queue: Promise<unknown> = Promise.resolve()
  #writing = false
  /**
   * Whether the `work` of a transaction is being called: a transaction that begins meanwhile is nested. After `work`
   * has awaited something this is unknown; tracking it there would slow down every promise of the process.
   */
  #calling = false
  #restores = 0
  #isRetired = false
  readonly #watchers = new Set<(commit: Commit) => void>()

  constructor(snapshot?: Snapshot) {
    this.#root = snapshot?.root ?? emptyRoot
    this.#reader = new RootReader(this.#root)
  }

  /** The committed state at this moment. Keep it to continue reading the same state. */
  get current(): Reader {
    return this.#reader
  }

  /**
   * Runs `work` alone and commits its writes atomically when it succeeds.
   *
   * @throws Error immediately if `work` begins another transaction before it has awaited anything
   * @throws what `work` throws, or StateRestored, after its writes are discarded
   */
  transaction<T>(work: (tx: Writer) => Promise<T> | T): Promise<T> {
    if (this.#calling) {
      throw new Error(
        'A transaction was started inside a transaction and would wait for itself forever. Pass the writer on instead.',
      )
    }
    const run = this.#queue.then(() => this.#run(work))
    this.#queue = run.catch(() => undefined)
    return run
  }

  /**
   * Runs `work` when no transaction is under way: between two of them.
   *
   * @throws whatever `work` throws
   */
  whenIdle<T>(work: () => T): Promise<T> {
    const run = this.#queue.then(() => {
      if (this.#isRetired) throw new StateRestored()
      return work()
    })
    this.#queue = run.catch(() => undefined)
    return run
  }

  async #run<T>(work: (tx: Writer) => Promise<T> | T): Promise<T> {
    if (this.#isRetired) throw new StateRestored()
    const expectUnrestored = this.untilRestored()
    const before = this.#reader
    const changes: Change[] | undefined = this.#watchers.size > 0 ? [] : undefined
    const writer = new TransactionWriter(this.#root, changes)
    this.#writing = true
    try {
      const result = await this.#call(() => work(writer))
      expectUnrestored()
      this.#become(writer.root())
      if (changes !== undefined && changes.length > 0) {
        const commit = { before, after: this.#reader, changes }
        for (const watcher of this.#watchers) watcher(commit)
      }
      return result
    } finally {
      this.#writing = false
      writer.close()
    }
  }

  #call<T>(work: () => T): T {
    this.#calling = true
    try {
      return work()
    } finally {
      this.#calling = false
    }
  }

  /**
   * Adds empty tables.
   *
   * @throws if a transaction is running, or an id or name is taken
   */
  addTables(added: readonly Table[]): void {
    if (this.#writing) throw new Error('Tables cannot be added while a transaction runs. Wait for it first.')
    const tables = new Map(this.#root.tables)
    const names = new Map(this.#root.names)
    const data = new Map(this.#root.data)
    for (const table of added) {
      if (tables.has(table.id) || names.has(table.name.toLowerCase())) {
        throw new Error(`Table "${table.name}" (${table.id}) already exists. Use another name and id.`)
      }
      tables.set(table.id, table)
      names.set(table.name.toLowerCase(), table)
      data.set(table.id, emptyTableData(table))
    }
    this.#become({ tables, names, data })
  }

  /**
   * Calls `watcher` for each transaction that begins from now on, after its commit. Restoring a snapshot does not call
   * it.
   *
   * @param watcher must not throw
   * @returns a function that removes the watcher
   */
  watch(watcher: (commit: Commit) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  snapshot(): Snapshot {
    return { root: this.#root }
  }

  /** Restores a snapshot, tables included. A running transaction is discarded when it ends. */
  restore(snapshot: Snapshot): void {
    this.#restores += 1
    this.#become(snapshot.root)
  }

  /**
   * Ends the store, because another one takes its place: no one will see what is written from now on.
   * Transactions under way, and all later ones, fail with StateRestored.
   */
  retire(): void {
    this.#isRetired = true
    this.#restores += 1
  }

  /** Returns a function that throws StateRestored if a state was restored since. For work in several pieces. */
  untilRestored(): () => void {
    const restores = this.#restores
    return () => {
      if (this.#restores !== restores) throw new StateRestored()
    }
  }

  /** An independent store that starts from the current state; neither sees the writes of the other. */
  fork(): Store {
    return new Store(this.snapshot())
  }

  #become(root: Root): void {
    this.#root = root
    this.#reader = new RootReader(root)
  }
}
