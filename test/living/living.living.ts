/**
 * The suite on the living server family, as a user of `--target pocketbase` runs it: the whole of it against the
 * committed list of known findings, reading only, twice concurrently, and after a run that was killed.
 *
 * If the server is not available, it says so and nothing is run.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../harness/vocabulary/finding.ts'
import type { RunReport } from '../../harness/vocabulary/report.ts'
import {
  type LivingServer,
  livingBinary,
  livingEnvironment,
  startLivingServer,
} from '../../scripts/living/living-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const binary = await livingBinary()
const missing = 'missing' in binary ? binary.missing : undefined
if (missing !== undefined) console.log(`Not run: ${missing}. Set POCKETBASE_BIN or install Go to run this.`)

let server: LivingServer
let folder = ''
let reports = 0

function start(args: string[]) {
  const file = join(folder, `report-${++reports}.json`)
  const command = ['--import', 'tsx', join(root, 'cli/main.ts'), '--target', 'pocketbase']
  const child = spawn(
    process.execPath,
    [...command, '--base-url', server.baseUrl, '--seed', '7', '--report', `json=${file}`, ...args],
    { cwd: root, env: { ...livingEnvironment(server, join(folder, 'state')), CI: '1' }, stdio: 'pipe' },
  )
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk))
  return {
    child,
    ended: once(child, 'exit').then(async ([code]) => ({
      code: code as number | null,
      out,
      report: JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as RunReport,
    })),
  }
}

const outcomes = (findings: readonly Finding[]) =>
  findings.map(({ requirement, status }) => `${requirement} ${status}`).sort()

async function tables(): Promise<string[]> {
  const { items } = (await server.call('GET', '/api/collections?perPage=500')) as {
    items: { name: string }[]
  }
  return items.map(({ name }) => name).sort()
}

async function settings(): Promise<unknown> {
  const { smtp, batch, rateLimits } = (await server.call('GET', '/api/settings')) as Record<string, unknown>
  return { smtp, batch, rateLimits }
}

/** Method and path of the requests that the server itself has logged since then. It writes its log every few seconds. */
async function logged(since: string): Promise<string[]> {
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const lines: string[] = []
  for (let page = 1; ; page++) {
    const filter = encodeURIComponent(`created >= "${since}" && data.type = "request"`)
    const { items } = (await server.call('GET', `/api/logs?perPage=500&page=${page}&filter=${filter}`)) as {
      items: { data: { method: string; url: string } }[]
    }
    lines.push(...items.map(({ data }) => `${data.method} ${data.url}`))
    if (items.length < 500) return lines
  }
}

describe.skipIf(missing !== undefined)('the living server family', () => {
  let before: { tables: string[]; settings: unknown }

  beforeAll(async () => {
    if ('missing' in binary) return
    server = await startLivingServer(binary.path)
    folder = await mkdtemp(join(tmpdir(), 'living-test-'))
    before = { tables: await tables(), settings: await settings() }
  })
  afterAll(async () => {
    await server?.stop()
    if (folder !== '') await rm(folder, { recursive: true, force: true })
  })

  /** Tables and settings are as before. */
  async function expectUntouched() {
    expect(await tables()).toEqual(before.tables)
    expect(await settings()).toEqual(before.settings)
  }

  it('has the findings that docs/results names, and no other; nothing stays on it', async () => {
    const baseline = join(root, 'docs/results/living-server.known.yaml')
    const { code, report } = await start(['--baseline', baseline]).ended
    expect(report.baseline?.problems).toEqual([])
    const open = report.findings.filter(
      ({ status, known }) => known === undefined && /fail|warn|blocked|untestable/.test(status),
    )
    expect(outcomes(open)).toEqual([])
    expect(report.leftovers).toEqual([])
    expect(code).toBe(0)
    await expectUntouched()
  })

  it('gets nothing but GET and sign-in from a read-only run, as its own log says', async () => {
    await server.call('POST', '/api/collections', {
      name: 'diary',
      type: 'base',
      listRule: '',
      viewRule: '',
      fields: [
        { name: 'entry', type: 'text' },
        { name: 'created', type: 'autodate', onCreate: true },
        { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
      ],
    })
    await server.call('POST', '/api/collections/diary/records', { entry: 'dear diary' })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const since = new Date().toISOString().replace('T', ' ')
    const { report } = await start(['--read-only']).ended
    const lines = await logged(since)
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.filter((line) => !/^(GET|HEAD) |auth-with-password$/.test(line))).toEqual([])
    expect(report.sent).toMatchObject({ writes: 0 })
    expect(report.findings.filter(({ status }) => status === 'pass').length).toBeGreaterThan(2)
    await server.call('DELETE', '/api/collections/diary')
  })

  it('serves two concurrent runs as it serves one alone, emails included', async () => {
    const only = ['--only', 'list,create,update,delete,otp,verification,oauth2', '--runs', '0.3']
    const [one, other] = await Promise.all([start(only).ended, start(only).ended])
    const alone = await start(only).ended
    // Whether its races show is random.
    const compared = ({ report }: typeof one) =>
      outcomes(report.findings.filter(({ requirement }) => !requirement.endsWith('-at-once')))
    expect(compared(one)).toEqual(compared(alone))
    expect(compared(other)).toEqual(compared(alone))
    await expectUntouched()
  })

  it('is rid of what a killed run left as soon as another runs', async () => {
    const only = ['--only', 'list,create,update,delete']
    const killed = start(only)
    while (killed.child.exitCode === null && !(await tables()).some((name) => name.startsWith('conf_')))
      await new Promise((resolve) => setTimeout(resolve, 50))
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    killed.child.kill('SIGKILL')
    await killed.ended
    expect((await tables()).length).toBeGreaterThan(before.tables.length)
    const { report, out } = await start(only).ended
    expect(out).toMatch(/an earlier run ended before its clean-up: its \d+ tables/)
    expect(report.verdict.document).toMatchObject({ failed: 0, untestable: 0 })
    expect(report.leftovers).toEqual([])
    await expectUntouched()
  })
})
