import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { rewriteWhole, writeWhole } from './write-whole.ts'

const folder = mkdtempSync(join(tmpdir(), 'whole-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Reads the file as often as it can until it is stopped. @returns the lengths that it saw */
function reader(file: string) {
  const shared = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
     const { readFileSync } = require('node:fs')
     const seen = new Set()
     do
       try { seen.add(readFileSync(workerData.file).length) } catch {}
     while (Atomics.load(workerData.shared, 0) === 0)
     parentPort.postMessage([...seen])`,
    { eval: true, workerData: { file, shared } },
  )
  return {
    started: new Promise((resolve) => worker.once('online', resolve)),
    lengths: () =>
      new Promise<number[]>((resolve) => {
        worker.once('message', resolve)
        Atomics.store(shared, 0, 1)
      }),
  }
}

describe('a file that is written atomically', () => {
  it('is never seen in part', async () => {
    const file = join(folder, 'busy')
    const { started, lengths } = reader(file)
    await started
    for (let round = 0; round < 500; round++) writeWhole(file, 'x'.repeat(20_000))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await lengths()).toEqual([20_000])
  })

  it('has its mode, and replaces a link', () => {
    const [file, other] = [join(folder, 'secret'), join(folder, 'other')]
    writeFileSync(other, 'kept')
    symlinkSync(other, file)
    writeWhole(file, 'text', 0o600)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect([readFileSync(file, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['text', 'kept'])
  })

  it('keeps the previous file, and leaves no other, if it cannot be written', () => {
    const place = join(folder, 'folder')
    expect(() => writeWhole(join(place, 'file'), 'text')).toThrow(/ENOENT/)
    expect(() => writeWhole(folder, 'text')).toThrow()
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

describe('a kept file', () => {
  it('is rewritten at the target of its link, with its mode', () => {
    const [file, link] = [join(folder, 'known.yaml'), join(folder, 'link.yaml')]
    rewriteWhole(file, 'one')
    chmodSync(file, 0o666)
    symlinkSync(file, link)
    rewriteWhole(link, 'two')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['two', 0o666])
  })

  it('is written to a pipe, which stays one', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('/usr/bin/env', ['mkfifo', pipe])
    const reading = openSync(pipe, 'r+')
    rewriteWhole(pipe, 'text')
    expect(lstatSync(pipe).isFIFO()).toBe(true)
    const got = Buffer.alloc(9)
    expect(got.toString('utf8', 0, readSync(reading, got))).toBe('text')
    closeSync(reading)
  })
})
