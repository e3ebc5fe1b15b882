/**
 * The servers that `npm run bench` measures, each in a process of its own.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { livingBinary, startLivingServer } from '../living/living-server.ts'

export interface Peer {
  /** Path of the records of the table. */
  records: string
  stop(): Promise<void>
}

export interface PeerKind {
  name: string
  /** Whether it has filters and sorts. */
  queries: boolean
  start(): Promise<Peer>
}

export interface BenchRecord {
  id: string
  title: string
  rank: number
  done: boolean
}

const root = fileURLToPath(new URL('../../', import.meta.url))

export const table = {
  name: 'posts',
  type: 'base',
  listRule: '',
  viewRule: '',
  createRule: '',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'rank', type: 'number' },
    { name: 'done', type: 'bool' },
  ],
} as const

/**
 * @param folder for the data file
 * @param command the built command, `dist/cli/main.js`
 */
export async function ours(
  folder: string,
  command: string,
  records: readonly BenchRecord[],
): Promise<PeerKind[]> {
  const data = join(folder, 'data.json')
  await writeFile(data, JSON.stringify({ tables: [table], records: { posts: records } }))
  const kind = (name: string, args: string[]): PeerKind => ({
    name,
    queries: true,
    start: () => spawned([command, 'serve', '--port', '0', '--prefix', '/api', '--data', data, ...args]),
  })
  return [kind('ours', ['--no-console']), kind('ours, console', [])]
}

/** Servers that do no more than they must. */
export function toys(count: number): PeerKind[] {
  const kind = (name: string, file: string): PeerKind => ({
    name,
    queries: false,
    start: () => spawned([join(root, 'scripts/bench', file), String(count)]),
  })
  return [kind('bare node:http', 'bare-server.mjs'), kind('toy on Hono', 'hono-server.mjs')]
}

/** @returns why it cannot be started, if there is no Go */
export async function living(records: readonly BenchRecord[]): Promise<PeerKind | string> {
  const binary = await livingBinary()
  if ('missing' in binary) return binary.missing
  return {
    name: 'living server',
    queries: true,
    async start() {
      const server = await startLivingServer(binary.path)
      const path = '/api/collections/posts/records'
      try {
        await server.acceptBatches()
        await server.call('POST', '/api/collections', table)
        for (let at = 0; at < records.length; at += 50) {
          const requests = records.slice(at, at + 50).map((body) => ({ method: 'POST', url: path, body }))
          await server.call('POST', '/api/batch', { requests })
        }
      } catch (error) {
        // Only this function knows it yet, and this process does not end before it.
        await server.stop()
        throw error
      }
      return { records: server.baseUrl + path, stop: () => server.stop() }
    },
  }
}

/** @throws Error with the output when it does not start */
async function spawned(args: readonly string[]): Promise<Peer> {
  // In a group of its own: a Ctrl-C in the terminal is for the bench, which then stops the server.
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'close')
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk).slice(-10_000)
      const found = / at (http:\/\/[\w.:]+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(([code]) => reject(new Error(`${args.join(' ')} did not start (${code}).\n${output}`)))
  })
  return {
    records: `${url}/api/collections/posts/records`,
    async stop() {
      child.kill('SIGINT')
      await ended
      process.off('exit', kill)
    },
  }
}
