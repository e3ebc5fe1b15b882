import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { idCharacters } from '../support/hash.ts'
import { startThread } from '../support/start-thread.ts'
import { appendEntry, endJournal, journalsOf, openJournal } from './journal.ts'

const url = 'http://127.0.0.1:8090'
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('gives a run the letters of its seed, and a second one at the same time others', () => {
  const [one, other] = [openJournal(url, 7, undefined, folder), openJournal(url, 7, undefined, folder)]
  expect(one?.namespace).toBe(idCharacters(5, 7))
  expect(other?.namespace).toMatch(/^[a-z0-9]{5}$/)
  expect(other?.namespace).not.toBe(one?.namespace)
  const elsewhere = openJournal('http://127.0.0.1:8091', 7, undefined, folder)
  expect(elsewhere?.namespace).toBe(one?.namespace)
})

it('knows what each account left behind', () => {
  const mine = openJournal(url, 7, undefined, folder)
  const file = mine?.file ?? ''
  appendEntry(file, { event: 'created', table: 'notes', id: 'a', marks: ['abcdef001'] })
  appendEntry(file, { event: 'created', table: 'notes', id: 'b', marks: [] })
  appendEntry(file, { event: 'gone', table: 'notes', id: 'a' })
  const left = { created: [{ table: 'notes', id: 'b' }] }
  expect(journalsOf(url, folder)).toMatchObject([{ alive: true, ...left }])
  // The next run may be of the same process: with --watch, or in a test runner.
  endJournal(file)
  expect(journalsOf(url, folder)).toMatchObject([{ alive: false, ...left }])
  appendEntry(file, { event: 'gone', table: 'notes', id: 'b' })
  endJournal(file)
  expect(journalsOf(url, folder)).toEqual([])
})

it('knows what a guest has seen, also where the clean-up enters it again', () => {
  const { file = '' } = openJournal(url, 7, undefined, folder) ?? {}
  for (const id of ['a', 'b', 'c']) appendEntry(file, { event: 'created', table: 'notes', id, marks: [] })
  appendEntry(file, { event: 'seen', table: 'notes', id: 'a' })
  appendEntry(file, { event: 'created', table: 'notes', id: 'a', marks: [] })
  // Another one got its id.
  appendEntry(file, { event: 'seen', table: 'notes', id: 'b' })
  appendEntry(file, { event: 'gone', table: 'notes', id: 'b' })
  appendEntry(file, { event: 'created', table: 'notes', id: 'b', marks: [] })
  const [{ created = [], shown = [] } = {}] = journalsOf(url, folder)
  const seen = Object.fromEntries(created.map((each) => [each.id, each.seen === true]))
  expect([seen, shown]).toEqual([{ a: true, b: false, c: false }, ['notes']])
})

it('knows what was about to be created, until its response is there', () => {
  const { file = '' } = openJournal(url, 7, undefined, folder) ?? {}
  appendEntry(file, { event: 'creating', table: 'notes', field: 'title', value: 'a=b' })
  appendEntry(file, { event: 'creating', table: 'notes', field: 'title', value: 'c' })
  appendEntry(file, { event: 'settled', table: 'notes', field: 'title', value: 'c' })
  expect(journalsOf(url, folder)).toMatchObject([
    { unsure: [{ table: 'notes', field: 'title', value: 'a=b' }] },
  ])
  endJournal(file)
  expect(journalsOf(url, folder)).toHaveLength(1)
})

it('recognizes the journal of a dead process, and accepts an incomplete last line', () => {
  const { file = '' } = openJournal(url, 7, undefined, folder) ?? {}
  const head = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, `${JSON.stringify({ ...head, pid: 2 ** 30 })}\n`)
  appendEntry(file, { event: 'created', table: 'notes', id: 'a', marks: [] })
  appendFileSync(file, '{"event":"created","table":"no')
  expect(journalsOf(url, folder)).toMatchObject([{ alive: false, created: [{ id: 'a' }] }])
})

// In a container each run is pid 1, and elsewhere a pid is used again. Only Linux says when a process began.
it.runIf(process.platform === 'linux').each([
  ['its own', () => process.pid],
  ['another', () => process.ppid],
])('recognizes the journal of a dead process whose pid now belongs to a live one: %s', (_, pid) => {
  const { file = '' } = openJournal(url, 7, undefined, folder) ?? {}
  const head = JSON.parse(readFileSync(file, 'utf8')) as { began: string }
  const began = `${head.began}1`
  writeFileSync(file, `${JSON.stringify({ ...head, pid: pid(), began })}\n`)
  expect(journalsOf(url, folder)).toMatchObject([{ alive: false }])
  // Written by an earlier version: nothing but the pid is known.
  writeFileSync(file, `${JSON.stringify({ ...head, pid: pid(), began: undefined })}\n`)
  expect(journalsOf(url, folder)).toMatchObject([{ alive: true }])
})

it('counts as alive in each thread of its process', async () => {
  openJournal(url, 7, undefined, folder)
  // Checks run in a thread that did not open the journal.
  const script = `import { parentPort, workerData } from 'node:worker_threads'
import { journalsOf } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)}
parentPort.postMessage(journalsOf(...workerData).map(({ alive }) => alive))`
  const code = new URL(`data:text/javascript,${encodeURIComponent(script)}`)
  const [alive] = await once(startThread(code, [url, folder]), 'message')
  expect(alive).toEqual([true])
})

it('says why nothing can be written', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => openJournal(url, 7, undefined, file)).toThrow(/^E\w+: .*file/)
  expect(journalsOf(url, file)).toEqual([])
})

it('keeps one entry a line, whatever a server sends', () => {
  const { file = '' } = openJournal(url, 7, undefined, folder) ?? {}
  const id = 'x\n{"event":"created","table":"victims","id":"v","marks":["abcdef001"]}\n+\tvictims\tv\u2028'
  appendEntry(file, { event: 'created', table: 'notes', id, marks: ['abcdef001'] })
  expect(journalsOf(url, folder)).toMatchObject([{ created: [{ table: 'notes', id, marks: ['abcdef001'] }] }])
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
})

it.each([
  '+\tvictims\tv',
  'null',
  '[]',
  '{"event":"created","table":"victims"}',
  '{"event":"created","table":"victims","id":7,"marks":[]}',
  '{"event":"created","table":"victims","id":"v"}',
])('takes no entry from the line %s', (line) => {
  const { file = '' } = openJournal(url, 7, undefined, folder) ?? {}
  appendFileSync(file, `${line}\n`)
  expect(journalsOf(url, folder)).toMatchObject([{ created: [], unsure: [] }])
})

it('counts a run of this machine as alive while its process lives, and one of another machine for a day', () => {
  const { file = '' } = openJournal(url, 7, undefined, folder) ?? {}
  const head = JSON.parse(readFileSync(file, 'utf8')) as object
  const alive = (changes: object, hours: number) => {
    const startedAt = new Date(Date.now() - hours * 3_600_000).toISOString()
    writeFileSync(file, `${JSON.stringify({ ...head, ...changes, startedAt })}\n`)
    return journalsOf(url, folder).map((state) => state.alive)
  }
  expect([alive({}, 1), alive({}, 25), alive({}, 1_000)]).toEqual([[true], [true], [true]])
  const host = 'another.example'
  expect([alive({ host }, 23), alive({ host }, 25)]).toEqual([[true], [false]])
  expect(alive({ host, pid: 2 ** 30 }, 1)).toEqual([true])
})

it.each(['', 'null', '5', '[]', '{}', '{"pid":"1"}', '{"run":"a"'])(
  'reads a journal that begins with %s',
  (line) => {
    const { file = '' } = openJournal(url, 7, undefined, folder) ?? {}
    writeFileSync(file, `${line}\n`)
    appendEntry(file, { event: 'created', table: 'notes', id: 'a', marks: [] })
    expect(journalsOf(url, folder)).toMatchObject([{ alive: false, namespace: '', created: [{ id: 'a' }] }])
  },
)
