import { describe, expect, it } from 'vitest'
import { createReference, type TableInput } from '../reference.ts'
import { withCallSite } from './with-call-site.ts'

const frames = (error: unknown) =>
  (error as Error).stack?.split('\n').filter((line) => line.includes(import.meta.filename))

describe('an error of a function that waits has the line that called it', () => {
  const tables: TableInput[] = [{ name: 'notes', fields: [{ name: 'text', type: 'text', max: 2 }] }]
  const reference = createReference({ tables })
  it.each<[string, () => Promise<unknown>]>([
    ['records.create', async () => await reference.records.create('notes', { nope: 1 })],
    ['records.create, rejected', async () => await reference.records.create('notes', { text: 'long' })],
    ['records.update', async () => await reference.records.update('notes', 'x', { text: 'a' })],
    ['records.delete', async () => await reference.records.delete('note', 'x')],
    ['records.list', async () => await reference.records.list('notes', { filter: 'zz = 1' })],
    ['records.find', async () => await reference.records.find('notes', { zz: 1 })],
    ['make', async () => await reference.make('notes', 1, { text: 'long' })],
    ['as', async () => await reference.as('superuser')],
    ['tokenFor', async () => await reference.tokenFor('notes', 'x')],
    ['mail.waitFor', async () => await reference.mail.waitFor({ timeout: 1 })],
    ['requests.waitFor', async () => await reference.requests.waitFor('batch', { timeout: 1 })],
    ['importState', async () => await reference.importState({} as never)],
  ])('%s', async (_name, call) => {
    const error = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(frames(error)?.length).toBeGreaterThan(0)
  })
})

it('adds no frames to an error that has them, and leaves alone what is not an error', async () => {
  const atOnce = withCallSite(async () => Promise.reject(new Error('x')))
  const error = await atOnce().catch((thrown: unknown) => thrown)
  expect(new Set(frames(error)).size).toBe(frames(error)?.length)
  await expect(withCallSite(async () => Promise.reject('text'))()).rejects.toBe('text')
})
