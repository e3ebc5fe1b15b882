import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readyFileAt } from './ready-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'ready-'))
afterAll(() => rmSync(folder, { recursive: true }))

const url = 'http://127.0.0.1:4711\n'
const target = {
  baseUrl: 'http://127.0.0.1:4711',
  name: 'reference',
  profile: 'standard',
  prefix: '/api/v1',
  tables: {},
  credentials: { superuser: { token: 't' } },
}

describe('a ready file', () => {
  it.each([
    ['where nothing is', undefined],
    ['in the place of an empty file', ''],
    ['of a proxy that was killed', url],
    ['of a server that was killed', `${JSON.stringify(target, null, 2)}\n`],
  ])('%s is there until the end', async (_name, before) => {
    const file = join(folder, 'ready')
    if (before !== undefined) writeFileSync(file, before)
    const ready = await readyFileAt(file, 0o600)
    ready.write('text')
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['text', 0o600])
    ready.remove()
    expect(existsSync(file)).toBe(false)
  })

  it.each([
    'my: notes\n',
    '{"name":"reference"}',
    'null',
    'http://127.0.0.1:4711/of/mine\n',
    JSON.stringify({ ...target, baseUrl: 'https://staging.example' }),
  ])('never replaces an unrelated file: %s', async (text) => {
    const file = join(folder, 'mine')
    writeFileSync(file, text)
    await expect(readyFileAt(file)).rejects.toThrow(
      /would overwrite an unrelated file.*\n.*--ready-file .*mine\n.*next/,
    )
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('is not taken from a server that is running', async () => {
    const running = createServer().listen(0, '127.0.0.1')
    await once(running, 'listening')
    onTestFinished(() => void running.close())
    const text = `http://127.0.0.1:${(running.address() as AddressInfo).port}\n`
    const file = join(folder, 'running')
    writeFileSync(file, text)
    await expect(readyFileAt(file)).rejects.toThrow(
      /the one of a server that is running at http:.*\n.*--ready-file .*running\n.*use another file/,
    )
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('keeps a file that another process has written since', async () => {
    const file = join(folder, 'shared')
    const ready = await readyFileAt(file)
    ready.write(url)
    writeFileSync(file, 'theirs')
    ready.remove()
    expect(readFileSync(file, 'utf8')).toBe('theirs')
  })

  it('rejects a file that cannot be written before anything starts', async () => {
    await expect(readyFileAt(join(folder, 'nowhere/x'))).rejects.toThrow(
      /the ready file cannot be written \(ENOENT\)/,
    )
    await expect(readyFileAt(folder)).rejects.toThrow(/\(EISDIR\)/)
  })
})

describe('a pipe', () => {
  const pipe = join(folder, 'pipe')
  execFileSync('/usr/bin/env', ['mkfifo', pipe])
  const reader = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  function got(handle: number): string {
    const bytes = Buffer.alloc(100)
    try {
      return bytes.toString('utf8', 0, readSync(handle, bytes))
    } catch {
      return ''
    }
  }

  it('is written to, and stays', async () => {
    const handle = reader()
    const ready = await readyFileAt(pipe)
    ready.write(url)
    expect(got(handle)).toBe(url)
    ready.remove()
    expect(lstatSync(pipe).isFIFO()).toBe(true)
    closeSync(handle)
  })

  it('gets the text when it has a reader, and nothing waits for that', async () => {
    const ready = await readyFileAt(pipe)
    ready.write(url)
    const handle = reader()
    await vi.waitFor(() => expect(got(handle)).toBe(url), { timeout: 15_000 })
    closeSync(handle)
    ready.remove()
  })
})
