/**
 * A server in a process of its own, so that its end is seen as one: `conformance serve`, or `reference.listen()`.
 *
 * @module
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Misbehaved } from '../misbehaved.ts'
import { worldSeed, worldTime } from '../world/world.ts'
import { isHint } from './in-process.ts'

export interface ServerProcess {
  readonly url: string
  readonly port: number
  /** The longest block of its event loop since it was asked last, in milliseconds of CPU; 0 for short ones. */
  longestBlock(): number
  /** Back to the state it began with. */
  reset(): Promise<void>
  newestMail(): Promise<{ code?: string; token?: string } | undefined>
  /** What it wrote about errors since it was asked last. */
  troubles(): string[]
  /** Undefined while it runs. */
  ended(): Misbehaved | undefined
  stop(): Promise<void>
}

export type StartServer = (stateFile: string) => Promise<ServerProcess>

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Milliseconds. Compiling the sources takes seconds on a busy machine. */
const startTime = 120_000

/** `conformance serve --control` with the state in the file, from the sources. */
export const startServeProcess: StartServer = (stateFile) =>
  start([
    'cli/main.ts',
    'serve',
    '--data',
    stateFile,
    '--control',
    '--seed',
    String(worldSeed),
    '--clock',
    worldTime,
  ])

/** `reference.listen()`, with the same control over it. */
export const startListen: StartServer = (stateFile) =>
  start(['proofs/fuzz/targets/listen-host.ts', stateFile])

async function start(args: string[]): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-server-'))
  const blockLog = join(folder, 'blocks')
  writeFileSync(blockLog, '')
  let read = 0
  const imports = [import.meta.resolve('tsx'), new URL('block-log.ts', import.meta.url).href]
  const child = spawn(process.execPath, [...imports.flatMap((each) => ['--import', each]), ...args], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
    // What a test runner around this sets makes no difference to the server.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR,
      FUZZ_BLOCK_LOG: blockLog,
    },
  })
  child.once('close', () => rmSync(folder, { recursive: true, force: true }))
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const said = await announced(child, () => errors)
  const url = /reference at (http:\/\/[^/\s]+)/.exec(said)?.[1] ?? ''
  const controlUrl = /control at (http:\/\/[^/\s]+)/.exec(said)?.[1] ?? url
  const control = async (path: string, method: string) => {
    const response = await fetch(`${controlUrl}/_conformance/${path}`, {
      method,
      headers: { 'content-type': 'application/json', connection: 'close' },
      ...(method === 'POST' && { body: '{}' }),
    })
    return response.status === 204 ? undefined : response.json()
  }
  return {
    url,
    port: Number(new URL(url).port),
    longestBlock() {
      const lines = readFileSync(blockLog, 'latin1').split('\n')
      const found = lines.slice(read, -1).map(Number)
      read = lines.length - 1
      return Math.max(0, ...found)
    },
    async reset() {
      await control('reset', 'POST')
    },
    async newestMail() {
      const { mails: emails } = (await control('mail', 'GET')) as {
        mails: { code?: string; token?: string }[]
      }
      return emails.at(-1)
    },
    troubles() {
      const said = errors
      errors = ''
      return /Error\b/.test(said) && !isHint(said) ? [said] : []
    },
    ended() {
      if (child.exitCode === null && child.signalCode === null) return undefined
      const place =
        /^\S*Error\b.*/m.exec(errors)?.[0] ?? `exit code ${child.exitCode}, signal ${child.signalCode}`
      return new Misbehaved(
        'crash',
        place.replace(/\d+/g, '#'),
        `the server ended: ${errors.slice(0, 2000) || place}`,
      )
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}

/** The output up to the line that names the address. */
function announced(child: ChildProcess, errors: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = ''
    const giveUp = () => {
      child.kill('SIGKILL')
      reject(new Error(`The server to fuzz did not start. Its output:\n${out}${errors()}`))
    }
    const timer = setTimeout(giveUp, startTime)
    child.once('close', giveUp)
    // Read to the end: a server stops when its output is not read.
    child.stdout?.on('data', (chunk) => {
      out += chunk
      if (!/reference at http:\/\/[^/\s]+/.test(out)) return
      clearTimeout(timer)
      child.removeListener('close', giveUp)
      resolve(out)
    })
  })
}
