import { expect, it } from 'vitest'
import { undoStack } from './undo-stack.ts'

it('undoes the newest first, each once, and waits for it', async () => {
  const done: string[] = []
  const undo = undoStack()
  undo.push(() => done.push('first'))
  undo.push(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    done.push('second')
  })
  await undo.run()
  await undo.run()
  expect(done).toEqual(['second', 'first'])
})

it('continues after a failing step, and throws the first failure', async () => {
  const done: string[] = []
  const undo = undoStack()
  undo.push(() => done.push('first'))
  undo.push(() => Promise.reject(new Error('second is stuck')))
  undo.push(() => {
    throw new Error('third is stuck')
  })
  await expect(undo.run()).rejects.toThrow('third is stuck')
  expect(done).toEqual(['first'])
})

it('throws an error even if it has no message', async () => {
  const undo = undoStack()
  undo.push(() => Promise.reject(undefined))
  await expect(undo.run()).rejects.toBe(undefined)
})
