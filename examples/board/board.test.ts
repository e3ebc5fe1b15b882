import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Backend, startBackend } from './backend.ts'
import { Board } from './board.ts'

let backend: Backend
let count = 0
beforeAll(async () => {
  backend = await startBackend()
})
afterAll(() => backend.stop())

/** A user who has just signed up. */
async function newcomer(name = 'Ann') {
  const board = new Board(backend.client())
  const email = `${name.toLowerCase()}${count++}@example.com`
  await board.signUp(name, email, 'correct horse')
  return { board, email }
}

async function member(name?: string) {
  const { board, email } = await newcomer(name)
  await board.confirm(await backend.verificationToken(email))
  return board
}

const strings = (tasks: readonly { text: string }[]) => tasks.map(({ text }) => text)

describe('signing up', () => {
  test('signs in, and sends an email whose token verifies the address', async () => {
    const { board, email } = await newcomer()
    expect(board.me).toMatchObject({ name: 'Ann', email, verified: false })
    await board.confirm(await backend.verificationToken(email))
    expect(board.me.verified).toBe(true)
  })

  test('without a verified address no board can be created', async () => {
    const { board } = await newcomer()
    await expect(board.create('Too early', [])).rejects.toMatchObject({ status: 400, response: { data: {} } })
  })

  test('an address is taken once', async () => {
    const { email } = await newcomer()
    const second = new Board(backend.client()).signUp('Eve', email, 'correct horse')
    await expect(second).rejects.toMatchObject({
      status: 400,
      response: { data: { email: { code: 'validation_not_unique' } } },
    })
  })

  test('a short password and a missing name are rejected by field', async () => {
    const rejected = new Board(backend.client()).signUp('', 'zoe@example.com', 'short')
    await expect(rejected).rejects.toMatchObject({
      response: {
        data: { name: { code: 'validation_required' }, password: { code: 'validation_min_text_constraint' } },
      },
    })
  })
})

describe('a board', () => {
  test('begins with its tasks in order', async () => {
    const ann = await member()
    const id = await ann.create('Home', ['Sweep', 'Cook', 'Sleep'])
    expect(strings(await ann.open(id))).toEqual(['Sweep', 'Cook', 'Sleep'])
    expect(await ann.boards()).toMatchObject([{ title: 'Home', expand: { owner: { name: 'Ann' } } }])
  })

  test('is not created when one of its tasks is rejected', async () => {
    const ann = await member()
    await expect(ann.create('Broken', ['Fine', ''])).rejects.toMatchObject({ status: 400 })
    expect(await ann.boards()).toEqual([])
  })

  test('keeps finished tasks until it is tidied', async () => {
    const ann = await member()
    const id = await ann.create('Work', ['a', 'b', 'c'])
    const [first] = await ann.open(id)
    expect(await ann.finish(first?.id ?? '')).toMatchObject({ text: 'a', done: true })
    expect(strings(await ann.open(id))).toEqual(['b', 'c'])
    expect([await ann.tidy(id), await ann.tidy(id)]).toEqual([1, 0])
  })

  test('takes its tasks with it', async () => {
    const ann = await member()
    const id = await ann.create('Short', ['a'])
    await ann.remove(id)
    expect([await ann.boards(), await ann.open(id)]).toEqual([[], []])
  })
})

describe('others', () => {
  test('see nothing of a board, and change nothing', async () => {
    const [ann, bob] = [await member(), await member('Bob')]
    const id = await ann.create('Secret', ['Plan'])
    const [task] = await ann.open(id)
    expect([await bob.boards(), await bob.open(id)]).toEqual([[], []])
    await expect(bob.finish(task?.id ?? '')).rejects.toMatchObject({ status: 404 })
    await expect(bob.add(id, ['Mine'])).rejects.toMatchObject({ status: 400 })
    await expect(bob.remove(id)).rejects.toMatchObject({ status: 404 })
  })

  test('read a board that is shared with them, and still change nothing', async () => {
    const [ann, bob] = [await member(), await member('Bob')]
    const id = await ann.create('Shared', ['Look'])
    await ann.share(id, bob.me.id)
    expect(strings(await bob.open(id))).toEqual(['Look'])
    const [task] = await bob.open(id)
    await expect(bob.finish(task?.id ?? '')).rejects.toMatchObject({ status: 404 })
    expect(await bob.boards()).toMatchObject([{ title: 'Shared', expand: { owner: { name: 'Ann' } } }])
  })

  test('a filter with quotes in it finds what it says', async () => {
    const ann = await member(`O'Hara "the"`.replace(/[^A-Za-z]/g, ''))
    const id = await ann.create(`It's "quoted"`, [`say 'hi'`, '\\ and "'])
    expect(strings(await ann.open(id))).toEqual([`say 'hi'`, '\\ and "'])
  })
})
