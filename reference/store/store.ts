import type { Reader, Table, Writer } from '../vocabulary.ts'
import type { Change, Commit } from './commit.ts'
import { RootReader } from './reader.ts'
import { emptyRoot, type Root } from './root.ts'
import { StateRestored } from './state-restored.ts'
import { emptyTableData } from './table-data.ts'
import { TransactionWriter } from './writer.ts'

/** The whole state of a store, kept by reference: taking and restoring one costs the same whatever its size. */
export interface Snapshot {
  readonly root: Root
}

/**
 * Tables and records in memory. Readers see the last committed state; writers run one after the other, and what
 * a failing one did leaves no trace.
 */
export class Store {
  #root: Root
  #reader: RootReader
  #queue: Promise<unknown> = Promise.resolve()
  #writing = false
  /**
   * Whether a transaction's work is just being called: what is asked for now is asked for by it. After it has waited nobody
   * knows; to follow it there would make every promise of the process slower.
   */
  #calling = false
  #restores = 0
  readonly #watchers = new Set<(commit: Commit) => void>()

  constructor(snapshot?: Snapshot) {
    this.#root = snapshot?.root ?? emptyRoot
    this.#reader = new RootReader(this.#root)
  }

  /** The committed state at this moment; keep it to go on reading the same state. */
  get current(): Reader {
    return this.#reader
  }

  /**
   * Runs `work` alone and makes its writes visible at once when it ends well.
   *
   * @throws Error at once where `work` begins another before it has waited for anything
   * @throws whatever `work` throws, or StateRestored, after everything it wrote is gone
   */
  transaction<T>(work: (tx: Writer) => Promise<T> | T): Promise<T> {
    if (this.#calling) {
      throw new Error(
        'A transaction was started inside a transaction, which would wait for itself for ever. Pass the writer on instead.',
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
    const run = this.#queue.then(work)
    this.#queue = run.catch(() => undefined)
    return run
  }

  async #run<T>(work: (tx: Writer) => Promise<T> | T): Promise<T> {
    const restores = this.#restores
    const before = this.#reader
    const changes: Change[] | undefined = this.#watchers.size > 0 ? [] : undefined
    const writer = new TransactionWriter(this.#root, changes)
    this.#writing = true
    try {
      const result = await this.#call(() => work(writer))
      if (this.#restores !== restores) throw new StateRestored()
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
   * @throws when a transaction is under way, or an id or name is taken
   */
  addTables(added: readonly Table[]): void {
    if (this.#writing) throw new Error('Tables cannot be added while a transaction runs. Wait for it first.')
    const tables = new Map(this.#root.tables)
    const names = new Map(this.#root.names)
    const data = new Map(this.#root.data)
    for (const table of added) {
      if (tables.has(table.id) || names.has(table.name.toLowerCase())) {
        throw new Error(`Table "${table.name}" (${table.id}) is already there. Give it another name and id.`)
      }
      tables.set(table.id, table)
      names.set(table.name.toLowerCase(), table)
      data.set(table.id, emptyTableData(table))
    }
    this.#become({ tables, names, data })
  }

  /**
   * Tells of each transaction that begins from now on, once its writes are visible. Restoring a snapshot tells nothing.
   *
   * @param watcher must not throw
   * @returns ends it
   */
  watch(watcher: (commit: Commit) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  snapshot(): Snapshot {
    return { root: this.#root }
  }

  /** Goes back to a snapshot, tables included. A transaction under way is discarded when it ends. */
  restore(snapshot: Snapshot): void {
    this.#restores += 1
    this.#become(snapshot.root)
  }

  /** A store of its own that starts from the present state; neither sees the writes of the other. */
  fork(): Store {
    return new Store(this.snapshot())
  }

  #become(root: Root): void {
    this.#root = root
    this.#reader = new RootReader(root)
  }
}
