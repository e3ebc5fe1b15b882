/**
 * `conformance serve` as a child process whose memory can be read while it runs.
 *
 * @module
 */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface ServerOptions {
  /** The built command, `dist/cli/main.js`. */
  command: string
  /** For `conformance serve`. */
  args: readonly string[]
  /** For Node: `--max-old-space-size=150`. */
  nodeArgs?: readonly string[]
}

export interface SoakServer {
  /** With the path prefix. */
  readonly url: string
  /** Resident memory of the process in bytes: VmRSS of `/proc` on Linux, `ps` elsewhere. */
  resident(): Promise<number>
  /** CPU time that the process has used, in milliseconds; undefined if there is no `/proc`. */
  cpu(): Promise<number | undefined>
  /** Bytes that are used on the heap. @param collect after a full garbage collection: what is really held */
  heap(collect: boolean): Promise<number>
  /** Resolves with the exit code, or the signal, once the process has ended, with what it printed to stderr. */
  readonly ended: Promise<{ code: number | string; errors: string }>
  stop(): Promise<void>
}

/** Reports the heap from inside the child, and ends it with the soak. The server does not know of it, nor wait for it. */
const reporter = `
process.on('message', (collect) => {
  if (collect) globalThis.gc()
  process.send(process.memoryUsage().heapUsed)
})
process.once('disconnect', () => process.exit())
process.channel.unref()`

/** Clock ticks of /proc/PID/stat in a second: 100 on every Linux that Node runs on. */
const ticks = 100

/** @throws Error with the output when the server does not start */
export async function startSoakServer({ command, args, nodeArgs = [] }: ServerOptions): Promise<SoakServer> {
  const preload = `data:text/javascript,${encodeURIComponent(reporter)}`
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', preload, ...nodeArgs, command, 'serve', ...args],
    // In a group of its own: a Ctrl-C in the terminal is for the soak, which then stops the server.
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: process.platform !== 'win32' },
  )
  let [output, errors] = ['', '']
  child.stderr?.on('data', (chunk) => {
    errors = (errors + chunk).slice(-10_000)
  })
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: (code ?? signal) as number | string,
    errors,
  }))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output = (output + chunk).slice(-10_000)
      const found = /reference at (\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    void ended.then(({ code }) =>
      reject(new Error(`The server did not start (${code}).\n${output}${errors}`)),
    )
  })
  const { pid = 0 } = child
  return {
    url,
    ended,
    resident: () => residentMemory(pid),
    cpu: () => cpuTime(pid),
    async heap(collect) {
      const response = once(child, 'message')
      child.send(collect)
      return Promise.race([
        response.then(([bytes]) => bytes as number),
        ended.then(({ code }) => Promise.reject(new Error(`The server ended (${code}).\n${errors}`))),
      ])
    },
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

async function residentMemory(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout.trim()) * 1024
}

async function cpuTime(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the process is in brackets and may contain blanks: the fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks
}
