/**
 * The application: a board of tasks on the official JavaScript client. It knows nothing of tests.
 *
 * @module
 */

import type PocketBase from 'pocketbase'
import type { Records } from 'record-auth-conformance/reference'
import type { tables } from './tables.ts'

type All = Records<typeof tables>
type Person = All['people']
export type Task = All['tasks']
export type BoardRecord = All['boards']

export class Board {
  readonly #client: PocketBase

  constructor(client: PocketBase) {
    this.#client = client
  }

  get me(): Person {
    const { record } = this.#client.authStore
    if (record === null) throw new Error('No user is signed in.')
    return record as unknown as Person
  }

  async signUp(name: string, email: string, password: string): Promise<void> {
    const people = this.#client.collection('people')
    await people.create({ name, email, password, passwordConfirm: password })
    await people.authWithPassword(email, password)
    await people.requestVerification(email)
  }

  async confirm(token: string): Promise<void> {
    await this.#client.collection('people').confirmVerification(token)
    await this.#client.collection('people').authRefresh()
  }

  /** A board with its first tasks: all of it, or nothing. */
  async create(title: string, tasks: readonly string[]): Promise<string> {
    const board = await this.#client.collection('boards').create<BoardRecord>({ title, owner: this.me.id })
    try {
      await this.add(board.id, tasks)
    } catch (error) {
      await this.#client.collection('boards').delete(board.id)
      throw error
    }
    return board.id
  }

  async add(board: string, strings: readonly string[]): Promise<void> {
    if (strings.length === 0) return
    const batch = this.#client.createBatch()
    for (const [rank, text] of strings.entries()) batch.collection('tasks').create({ board, text, rank })
    await batch.send()
  }

  async finish(task: string): Promise<Task> {
    return this.#client.collection('tasks').update<Task>(task, { done: true })
  }

  async share(board: string, reader: string): Promise<void> {
    await this.#client.collection('boards').update(board, { 'readers+': reader })
  }

  async boards(): Promise<BoardRecord[]> {
    return this.#client.collection('boards').getFullList<BoardRecord>({ sort: 'title', expand: 'owner' })
  }

  async open(board: string): Promise<Task[]> {
    const filter = this.#client.filter('board = {:board} && done = false', { board })
    return this.#client.collection('tasks').getFullList<Task>({ filter, sort: 'rank' })
  }

  async tidy(board: string): Promise<number> {
    const filter = this.#client.filter('board = {:board} && done = true', { board })
    const done = await this.#client.collection('tasks').getFullList<Task>({ filter })
    const batch = this.#client.createBatch()
    for (const { id } of done) batch.collection('tasks').delete(id)
    if (done.length > 0) await batch.send()
    return done.length
  }

  async remove(board: string): Promise<void> {
    await this.#client.collection('boards').delete(board)
  }
}
