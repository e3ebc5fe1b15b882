/**
 * What runs do to a server, written down on disk as it happens: the next run deletes what a killed one left, and runs
 * at the same time get different letters for the names of their data.
 *
 * One file for each run: a line of JSON that says who runs, then a line for each thing created or deleted. The file
 * goes when nothing is left behind.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { lettersOf } from '../seed.ts'

export interface JournalFile {
  file: string
  /** Letters that no other run against the server has while this one goes on. */
  namespace: string
}

/** What is still there of a run. */
export interface JournalState extends JournalFile {
  /** Whether the process that wrote it lives. */
  alive: boolean
  startedAt: string
  /** Oldest first. */
  created: { table: string; id: string }[]
  /** Creates whose answer never came, or told no id: whether there is a record only a search tells. */
  unsure: Intent[]
}

/** A create that is under way, by what finds its record should no answer come. */
export interface Intent {
  table: string
  /** As the target calls it. */
  field: string
  /** Text that nobody else writes: it holds letters of the run. */
  value: string
}

/** Created, gone, about to be created, answered. */
export type Sign = '+' | '-' | '?' | '.'

interface Head {
  run: string
  baseUrl: string
  pid: number
  host: string
  startedAt: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Folder of all journals: `CONFORMANCE_STATE_DIR`, or the user's folder for the state of programs. */
export function stateFolder(environment: Environment = process.env): string {
  const { CONFORMANCE_STATE_DIR: own, XDG_STATE_HOME: state } = environment
  return own || join(state || join(homedir(), '.local', 'state'), 'record-auth-conformance')
}

/** Start of the names of all files about one server. */
export function fileStem(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16)
}

/**
 * Begins the journal of a run. Alone, a run has the letters of its seed, so that the same seed makes the same requests;
 * where another run against the same server has them already, it takes the next.
 *
 * @returns undefined where nothing can be written: the run goes on without
 */
export function openJournal(
  baseUrl: string,
  seed: number,
  wanted?: string,
  folder = stateFolder(),
): JournalFile | undefined {
  const startedAt = new Date().toISOString()
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (let attempt = 0; attempt < 1_000; attempt++) {
      const namespace = attempt === 0 ? (wanted ?? lettersOf(5, seed)) : lettersOf(5, seed, attempt)
      const file = join(folder, `${fileStem(baseUrl)}-${namespace}.journal`)
      const head: Head = { run: namespace, baseUrl, pid: process.pid, host: hostname(), startedAt }
      try {
        writeFileSync(file, `${JSON.stringify(head)}\n`, { flag: 'wx', mode: 0o600 })
        return { file, namespace }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
  } catch {
    return undefined
  }
  return undefined
}

/**
 * Notes what was created (`+`) or is gone (`-`) by its id, and what is about to be created (`?`) or was answered (`.`)
 * by field and value. Synchronous: a kill a moment later finds it written.
 */
export function note(file: string, sign: Sign, table: string, id: string): void {
  appendFileSync(file, `${sign}\t${table}\t${id}\n`)
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
  const created = new Map<string, { table: string; id: string }>()
  const unsure = new Map<string, Intent>()
  for (const line of lines) {
    const [sign, table, id] = line.split('\t')
    // The last line of a killed run may have been cut.
    if (table === undefined || id === undefined || id === '') continue
    const key = `${table}\t${id}`
    if (sign === '+') created.set(key, { table, id })
    else if (sign === '-') created.delete(key)
    else if (sign === '.') unsure.delete(key)
    else if (sign === '?') {
      const [field = '', ...value] = id.split('=')
      unsure.set(key, { table, field, value: value.join('=') })
    }
  }
  const head = headOf(first)
  return {
    file,
    namespace: head?.run ?? '',
    startedAt: head?.startedAt ?? '',
    alive: head !== undefined && lives(head),
    created: [...created.values()],
    unsure: [...unsure.values()],
  }
}

function headOf(line: string): Head | undefined {
  try {
    return JSON.parse(line) as Head
  } catch {
    return undefined
  }
}

/** Of another machine nothing is known: its run counts as alive for a day. */
function lives({ pid, host, startedAt }: Head): boolean {
  const day = 86_400_000
  if (Date.now() - Date.parse(startedAt) > day) return false
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** How many things a journal says are still there. */
export function openEntries(file: string): number {
  const { created = [], unsure = [] } = readJournal(file) ?? {}
  return created.length + unsure.length
}

/** Ends a journal: nothing of it is left on the server, or somebody was told. */
export function removeJournal(file: string): void {
  rmSync(file, { force: true })
}
