/**
 * What a run does to a server, written to disk at once. The next run deletes what a killed run left, and concurrent runs
 * use different letters in the names of their data.
 *
 * One file for each run, one JSON value per line: first who runs, then an entry for each event. Nothing that a server
 * sends can add a line. The file is deleted when nothing is left behind.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { idCharacters } from '../support/hash.ts'
import { makeFolder } from '../support/make-folder.ts'
import type { ProcessEnvironment } from '../vocabulary/options.ts'

export interface JournalFile {
  file: string
  /** Letters that no other run against the server has during this one. */
  namespace: string
}

/** What is still there of a run. */
export interface JournalState extends JournalFile {
  /** Whether its run is under way: it has not ended, and its process lives. */
  alive: boolean
  startedAt: string
  /** Oldest first. */
  created: CreatedRecord[]
  /** Creates without a response or id; a search must find the record. */
  unsure: Intent[]
  /** Tables in which a guest has seen a record. The record may be gone since. */
  shown: string[]
}

/** A create that is in progress, with what finds its record if no response returns the id. */
export interface Intent {
  table: string
  /** As the target calls it. */
  field: string
  /** A string that no one else writes: it holds a mark of the run. */
  value: string
}

/** A record that a response named as created. */
export interface CreatedRecord {
  table: string
  id: string
  /** The run's marks in it: only a record that holds one of them is deleted. */
  marks: readonly string[]
  /** A guest could see it: where a guest gets a 404 for it later, it is gone, and not hidden. @default false */
  seen?: boolean
}

/** What happened to a record. */
export type RecordEntry =
  | ({ event: 'creating' | 'settled' } & Intent)
  | ({ event: 'created' } & CreatedRecord)
  | { event: 'seen'; table: string; id: string }
  | { event: 'gone'; table: string; id: string }

/** One line of a journal. */
export type JournalEntry = RecordEntry | { event: 'ended' }

/** Other runs whose letters a run may find taken. */
const mostAttempts = 1_000

interface Head {
  run: string
  baseUrl: string
  pid: number
  /** When the process began, as `beganAt` says. */
  began?: string | undefined
  host: string
  startedAt: string
}

/** Folder of all journals: `CONFORMANCE_STATE_DIR`, or the user's folder for the state of programs. */
export function stateFolder(environment: ProcessEnvironment = process.env): string {
  const { CONFORMANCE_STATE_DIR: own, XDG_STATE_HOME: state } = environment
  return own || join(state || join(homedir(), '.local', 'state'), 'record-auth-conformance')
}

/** Start of the names of all files about one server. */
export function fileStem(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16)
}

/**
 * Begins the journal of a run. The run's letters follow from its seed, so that the same seed makes the same requests. If
 * another run against the same server already has these letters, the next ones are taken.
 *
 * @throws the error of the file system if nothing can be written
 */
export function openJournal(
  baseUrl: string,
  seed: number,
  wanted?: string,
  folder = stateFolder(),
): JournalFile {
  const startedAt = new Date().toISOString()
  makeFolder(folder)
  for (let attempt = 0; ; attempt++) {
    const namespace = attempt === 0 ? (wanted ?? idCharacters(5, seed)) : idCharacters(5, seed, attempt)
    const file = join(folder, `${fileStem(baseUrl)}-${namespace}.journal`)
    const { pid } = process
    const head: Head = { run: namespace, baseUrl, pid, began: beganAt(pid), host: hostname(), startedAt }
    try {
      writeFileSync(file, `${JSON.stringify(head)}\n`, { flag: 'wx', mode: 0o600 })
      return { file, namespace }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === mostAttempts) throw error
    }
  }
}

/**
 * Appends an entry. Synchronous, so that it is on disk even if the run is killed right after.
 */
export function appendEntry(file: string, entry: JournalEntry): void {
  appendFileSync(file, `${JSON.stringify(entry)}\n`)
}

/** All runs against a server that left a journal, this process's own included. */
export function journalsOf(baseUrl: string, folder = stateFolder()): JournalState[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  const stem = `${fileStem(baseUrl)}-`
  return names
    .filter((name) => name.startsWith(stem) && name.endsWith('.journal'))
    .map((name) => readJournal(join(folder, name)))
    .filter((state) => state !== undefined)
}

function readJournal(file: string): JournalState | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  const [first = '', ...lines] = text.split('\n')
  const created = new Map<string, CreatedRecord>()
  const unsure = new Map<string, Intent>()
  const shown = new Set<string>()
  let ended = false
  for (const line of lines) {
    const entry = entryOf(line)
    if (entry === undefined) continue
    if (entry.event === 'ended') {
      ended = true
      continue
    }
    const { table } = entry
    if (entry.event === 'created') {
      const { id, marks } = entry
      // The clean-up adds a record again if it finds it.
      const { seen } = created.get(`${table}/${id}`) ?? {}
      created.set(`${table}/${id}`, { table, id, marks, ...(seen === true && { seen }) })
    } else if (entry.event === 'gone') created.delete(`${table}/${entry.id}`)
    else if (entry.event === 'seen') {
      shown.add(table)
      const known = created.get(`${table}/${entry.id}`)
      if (known !== undefined) known.seen = true
    } else {
      const { field, value } = entry
      if (entry.event === 'creating') unsure.set(`${table}/${field}/${value}`, { table, field, value })
      else unsure.delete(`${table}/${field}/${value}`)
    }
  }
  const head = headOf(first)
  return {
    file,
    namespace: head?.run ?? '',
    startedAt: head?.startedAt ?? '',
    alive: head !== undefined && !ended && lives(head),
    created: [...created.values()],
    unsure: [...unsure.values()],
    shown: [...shown],
  }
}

const ofRecords: ReadonlySet<unknown> = new Set<JournalEntry['event']>(['created', 'seen', 'gone'])

/** Undefined for a line that is not an entry: the last line of a killed run may have been cut. */
function entryOf(line: string): JournalEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<Record<string, unknown>> | null
    if (entry?.event === 'ended') return { event: 'ended' }
    const named = ['table', ...(ofRecords.has(entry?.event) ? ['id'] : ['field', 'value'])]
    if (entry === null || !named.every((key) => typeof entry[key] === 'string')) return undefined
    if (entry.event === 'created' && !Array.isArray(entry.marks)) return undefined
    return entry as unknown as JournalEntry
  } catch {
    return undefined
  }
}

/** Undefined for a line that does not say who runs: the disk may have been full. */
function headOf(line: string): Head | undefined {
  try {
    const head = JSON.parse(line) as Partial<Record<string, unknown>> | null
    const named = ['run', 'host', 'startedAt'].every((key) => typeof head?.[key] === 'string')
    return named && Number.isSafeInteger(head?.pid) ? (head as unknown as Head) : undefined
  } catch {
    return undefined
  }
}

/** Nothing is known about a process of another machine: its run counts as alive for a day. */
function lives({ pid, began, host, startedAt }: Head): boolean {
  const day = 86_400_000
  if (host !== hostname()) return Date.now() - Date.parse(startedAt) <= day
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = beganAt(pid)
  return began === undefined || now === undefined || now === began
}

/**
 * When a process began: the boot of the machine, and the clock ticks since. With it, a process is recognized in each of
 * its threads, and no other one is mistaken for it: a pid is used again, and in a container each run may be pid 1.
 *
 * @returns undefined where the system does not say: only Linux does
 */
function beganAt(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is a name in parentheses, which may contain anything.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return ticks === undefined ? undefined : `${boot} ${ticks}`
  } catch {
    return undefined
  }
}

/**
 * Ends the journal of a run that has ended. It is kept if something was left behind: the next run tries again, which may
 * be of the same process.
 */
export function endJournal(file: string): void {
  const { created = [], unsure = [] } = readJournal(file) ?? {}
  if (created.length + unsure.length === 0) removeJournal(file)
  else appendEntry(file, { event: 'ended' })
}

/** Deletes a journal: nothing of it is left on the server, or it was reported. */
export function removeJournal(file: string): void {
  rmSync(file, { force: true })
}
