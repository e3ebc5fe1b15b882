/**
 * Starts the living server family as an ordinary process, on loopback, in folders of its own, with a superuser.
 *
 * The program is ours (`main.go`, ten lines); the server is a Go module that it imports. Nothing of it is in this repository.
 *
 * @module
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const cache = fileURLToPath(new URL('../../node_modules/.cache/living/', import.meta.url))
/** Milliseconds for the first build, which also loads the modules: without a network it would wait for long. */
const longestBuild = 300_000
const superuser = { identity: 'root@example.com', password: 'rootpass123' }

export interface LivingServer {
  baseUrl: string
  superuser: typeof superuser
  token: string
  /** A call of its HTTP API as superuser. @throws Error with status and body when it is rejected. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** Makes it accept batches of 50 entries, which it rejects by default. */
  acceptBatches(): Promise<void>
  /** Makes it send its emails to an SMTP server, and none about sign-ins of superusers. */
  sendMailsTo(smtp: { host: string; port: number }): Promise<void>
  stop(): Promise<void>
}

/**
 * The server's binary: `POCKETBASE_BIN`, or built with Go into the cache folder (some minutes, once).
 * Gives the reason in words when neither is available.
 */
export async function livingBinary(): Promise<{ path: string } | { missing: string }> {
  const given = process.env.POCKETBASE_BIN
  if (given) {
    return existsSync(given)
      ? { path: given }
      : { missing: `POCKETBASE_BIN names ${given}, which is not there` }
  }
  const built = join(cache, 'server')
  if (existsSync(built)) return { path: built }
  await mkdir(cache, { recursive: true })
  try {
    await run('go', ['build', '-o', built, '.'], { cwd: here, timeout: longestBuild })
    return { path: built }
  } catch (error) {
    return { missing: `the living server could not be built: ${causeOf(error)}` }
  }
}

function causeOf(error: unknown): string {
  const { code, killed } = error as { code?: unknown; killed?: boolean }
  if (code === 'ENOENT') return 'Go is not installed'
  return killed === true ? `go build took longer than ${longestBuild / 60_000} minutes` : String(error)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port on 127.0.0.1.')
  return address.port
}

async function healthy(baseUrl: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error(`The living server ended with exit code ${child.exitCode}.`)
    const up = await fetch(`${baseUrl}/api/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (up) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The living server did not respond at ${baseUrl} within ten seconds.`)
}

/** What a user of `--target pocketbase` has in the environment. `state` is the folder for the journals of runs. */
export function livingEnvironment(
  { superuser: { identity, password } }: Pick<LivingServer, 'superuser'>,
  state: string,
): NodeJS.ProcessEnv {
  const ours = /^(VITEST|NODE_ENV$|TEST$|NODE_OPTIONS$|CONFORMANCE_)/
  const rest = Object.entries(process.env).filter(([name]) => !ours.test(name))
  return {
    ...Object.fromEntries(rest),
    CONFORMANCE_SUPERUSER_IDENTITY: identity,
    CONFORMANCE_SUPERUSER_PASSWORD: password,
    CONFORMANCE_STATE_DIR: state,
  }
}

/** Starts one server with an empty database. It ends with `stop`, or with this process. */
export async function startLivingServer(binary: string): Promise<LivingServer> {
  const folder = await mkdtemp(join(tmpdir(), 'living-'))
  const [data, empty] = [join(folder, 'data'), join(folder, 'empty')]
  await mkdir(empty)
  const { stdout } = await run(binary, [
    'superuser',
    'upsert',
    superuser.identity,
    superuser.password,
    `--dir=${data}`,
  ])
  if (!stdout.includes('Successfully'))
    throw new Error(`The living server's superuser was not made: ${stdout}`)

  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const { stdout: help } = await run(binary, ['serve', '--help'])
  const known = (flag: string) => help.includes(flag.replace(/=.*/, ''))
  const folders = ['migrationsDir', 'hooksDir', 'publicDir'].map((name) => `--${name}=${empty}`)
  // The stock program writes migrations and reads hooks; one built on the module alone lacks these flags.
  const quiet = ['--dev=false', '--automigrate=false', ...folders].filter(known)
  // Started from its own folder by a relative path: an absolute one below the system's temporary folder would
  // make it believe that it is being developed.
  const child = spawn(
    `./${basename(binary)}`,
    ['serve', `--http=127.0.0.1:${port}`, `--dir=${data}`, ...quiet],
    { cwd: dirname(binary), stdio: 'ignore' },
  )
  const endWithUs = () => child.kill()
  process.once('exit', endWithUs)
  await healthy(baseUrl, child)

  let token = ''
  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json', authorization: token }
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    } as RequestInit)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const signedIn = await call('POST', '/api/collections/_superusers/auth-with-password', superuser)
  token = (signedIn as { token: string }).token

  return {
    baseUrl,
    superuser,
    token,
    call,
    async acceptBatches() {
      await call('PATCH', '/api/settings', { batch: { enabled: true, maxRequests: 50, timeout: 3 } })
    },
    async sendMailsTo({ host, port }) {
      await call('PATCH', '/api/settings', {
        meta: {
          appName: 'Conformance',
          appURL: 'http://app.example.com',
          senderName: 'Conformance',
          senderAddress: 'noreply@example.com',
        },
        smtp: { enabled: true, host, port, username: '', password: '', tls: false },
      })
      await call('PATCH', '/api/collections/_superusers', { authAlert: { enabled: false } })
    },
    async stop() {
      process.off('exit', endWithUs)
      const ended = child.exitCode === null ? once(child, 'exit') : undefined
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
