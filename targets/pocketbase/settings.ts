/**
 * Settings that the suite needs during a run: emails go to its sink, batch is enabled, rate limits are off.
 *
 * The settings belong to the server, not to a run: the first run saves them, the last one restores them. Emails go to
 * one run at a time, which forwards them to the others; when it ends, another takes over. A file that all runs on this
 * machine share contains what is needed for that.
 *
 * @module
 */

import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeWhole } from '../../harness/support/write-whole.ts'
import type { Admin } from '../../harness/target/admin.ts'
import type { SetupInput } from '../../harness/target/setup.ts'

interface Shared {
  /** The settings before the first run. */
  original: Record<string, unknown>
  /** Run → port of its mail sink, 0 for none. */
  runs: Record<string, number>
}

type Input = Pick<SetupInput, 'run' | 'others' | 'sharedFile' | 'smtp'>

const relayed = 'X-Conformance-Relayed: yes\r\n'
const needed = {
  batch: { enabled: true, maxRequests: 50, timeout: 3, maxBodySize: 0 },
  rateLimits: { enabled: false },
}

export async function takeSettings(admin: Admin, input: Input): Promise<void> {
  const { run, others, sharedFile, smtp } = input
  await locked(sharedFile, async () => {
    const known = read(sharedFile)
    const runs = Object.fromEntries(
      Object.entries(known?.runs ?? {}).filter(([each]) => others.alive.includes(each)),
    )
    const original = known?.original ?? (await currentSettings(admin))
    const alone = !Object.values(runs).some((port) => port > 0)
    write(sharedFile, { original, runs: { ...runs, [run]: smtp?.port ?? 0 } })
    await admin.call('PATCH', '/settings', {
      ...needed,
      ...(smtp !== undefined && alone ? { smtp: smtpTo(smtp.port) } : {}),
    })
  })
  smtp?.onMail(({ raw, to, from }) => {
    if (raw.subarray(0, relayed.length).toString() === relayed) return
    for (const [other, port] of Object.entries(read(sharedFile)?.runs ?? {}))
      if (other !== run && port > 0) void handOn(port, raw, to, from)
  })
}

export async function restoreSettings(admin: Admin, { run, sharedFile }: Input): Promise<void> {
  await locked(sharedFile, async () => {
    const known = read(sharedFile)
    if (known === undefined) return
    const { [run]: mine, ...runs } = known.runs
    if (Object.keys(runs).length === 0) {
      await admin.call('PATCH', '/settings', known.original)
      rmSync(sharedFile, { force: true })
      return
    }
    write(sharedFile, { ...known, runs })
    const heir = Object.values(runs).find((port) => port > 0)
    const { smtp } = (await currentSettings(admin)) as { smtp?: { port?: number } }
    if (mine !== undefined && mine === smtp?.port && heir !== undefined)
      await admin.call('PATCH', '/settings', { smtp: smtpTo(heir) })
  })
}

/**
 * Username and password stay: the server does not show the password, so it could not be restored. The sink accepts any.
 */
function smtpTo(port: number): Record<string, unknown> {
  return { enabled: true, host: '127.0.0.1', port, tls: false }
}

/** The current values of the parts that are changed. */
async function currentSettings(admin: Admin): Promise<Record<string, unknown>> {
  const { smtp, batch, rateLimits } = (await admin.call('GET', '/settings')) as Record<string, unknown>
  return { smtp, batch, rateLimits }
}

/** Forwards an email to the sink of another run. If that run has ended meanwhile, the email is not needed. */
async function handOn(port: number, raw: Buffer, to: readonly string[], from: string): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true })
  const message = Buffer.concat([Buffer.from(relayed), raw])
  await transport.sendMail({ envelope: { from, to: [...to] }, raw: message }).catch(() => {})
  transport.close()
}

function read(file: string): Shared | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Shared
  } catch {
    return undefined
  }
}

/**
 * Settings may hold secrets: readable by the owner only. Replaced atomically, since the run that forwards emails reads
 * it without the lock.
 */
function write(file: string, shared: Shared): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeWhole(file, JSON.stringify(shared), 0o600)
}

/** One run at a time. A lock older than a minute belongs to a killed run. */
async function locked(file: string, work: () => Promise<void>): Promise<void> {
  const lock = `${file}.lock`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  for (let attempt = 0; ; attempt++) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 1_200) throw error
      if (ageOf(lock) > 60_000) rmSync(lock, { recursive: true, force: true })
      else await wait(100)
    }
  }
  try {
    await work()
  } finally {
    rmdirSync(lock)
  }
}

function ageOf(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch {
    return 0
  }
}
