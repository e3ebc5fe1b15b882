/**
 * The command line as a process: exit codes, streams, secrets, signals.
 */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../harness/vocabulary/findings.ts'
import { readData } from '../spec/read-data.ts'
import { command } from '../test/support/command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'conformance-cli-'))
const environment = { ...process.env, NO_COLOR: '1', CI: '1' }
for (const name of Object.keys(environment))
  if (/^(CONFORMANCE_|VITEST|NODE_OPTIONS)/.test(name)) delete environment[name as never]

interface Ended {
  code: number
  out: string
  err: string
}

function conformance(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [command, ...args],
      { cwd: root, env: { ...environment, ...env } },
      (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
    )
  })
}

function start(...args: string[]) {
  return spawn(process.execPath, [command, ...args], { cwd: root, env: environment, stdio: 'pipe' })
}

function serve(...args: string[]) {
  const child = start('serve', ...args)
  return { child, ended: once(child, 'exit') }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('what was waited for did not come within a minute')
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a reader that leaves', () => {
  it('ends the list without a word', async () => {
    const child = start('list')
    let complaint = ''
    child.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    child.stdout.destroy()
    const [code] = (await once(child, 'exit')) as [number]
    expect([code, complaint]).toEqual([0, ''])
  })
})

describe('mistakes of the caller', () => {
  const file = join(folder, 'bad.json')
  writeFileSync(file, '{"baseUrl":"http://127.0.0.1:1","tabels":{}}')
  const report = join(folder, 'empty-report.json')
  writeFileSync(report, '{"findings":[]}')
  const [odd, list, fields, field] = [
    join(folder, 'odd-report.json'),
    join(folder, 'list.json'),
    join(folder, 'fields.json'),
    join(folder, 'field.json'),
  ]
  writeFileSync(odd, '{"findings":[null]}')
  writeFileSync(list, '[5]')
  writeFileSync(fields, '[{"name":"x","fields":5}]')
  writeFileSync(field, '[{"name":"x","fields":[5]}]')

  it.each<[string, string[], RegExp]>([
    ['an unknown flag', ['--sede', '1'], /unknown option '--sede'[\s\S]*did you mean --seed/i],
    ['a bad value', ['--level', 'maybe'], /must be MUST, SHOULD or MAY/],
    [
      'a selection of nothing',
      ['--only', 'record.idd'],
      /"record.idd" names no requirement[\s\S]*did you mean record.id\?/,
    ],
    [
      'a dead port',
      ['--base-url', 'http://127.0.0.1:9'],
      /cannot be reached \(ECONNREFUSED\)[\s\S]*http:\/\/127\.0\.0\.1:9[\s\S]*next/,
    ],
    ['a missing target file', ['--target', 'nowhere.json'], /cannot be read \(ENOENT\)[\s\S]*nowhere\.json/],
    [
      'an unknown key in the target file',
      ['--target', file],
      /unknown key "tabels"[\s\S]*did you mean "tables"/,
    ],
    ['a remote target without permission', ['--base-url', 'http://192.0.2.1'], /--allow-remote-writes/],
    [
      'a secret among the arguments',
      ['--header', 'X-Api-Key: abc'],
      /may not carry a secret[\s\S]*X-Api-Key:\$NAME/,
    ],
    ['a header of the checks', ['--header', 'Authorization: abc'], /sign in with/],
    ['a variable that is not set', ['--header', 'X-Api-Key:$NOBODY_SET_THIS'], /has no \$NOBODY_SET_THIS/],
    ['a path that is none', ['--only', 'list.shape', '--seed', '1', '--path', 'x'], /"x" is no path/],
    ['a path without its seed', ['--only', 'list.shape', '--path', '0:1'], /add --seed/],
    [
      'a report that has nowhere to go, before anything is asked',
      ['--base-url', 'http://127.0.0.1:9', '--report', 'json=nowhere/report.json'],
      /the report cannot be written \(ENOENT\)[\s\S]*--report json=nowhere\/report\.json/,
    ],
    [
      'a profile that has nowhere to go, before anything is asked',
      ['--base-url', 'http://127.0.0.1:9', '--write-profile', 'nowhere/own.yaml'],
      /the profile cannot be written \(ENOENT\)[\s\S]*--write-profile nowhere\/own\.yaml/,
    ],
    [
      'a coverage that has nowhere to go, before anything is passed on',
      ['proxy', '--upstream', 'http://127.0.0.1:9', '--coverage', 'nowhere/coverage.json'],
      /the coverage cannot be written \(ENOENT\)[\s\S]*--coverage nowhere\/coverage\.json/,
    ],
    [
      'a form of report that there is not',
      ['--report', 'junitt=x.xml'],
      /no format "junitt"[\s\S]*did you mean "junit"\?/i,
    ],
    [
      'two reports to one place',
      ['--report', 'json=-', '--report', 'junit=-'],
      /would write two reports to the output/,
    ],
    ['an unknown profile', ['--profile', 'standart'], /did you mean standard\?/],
    ['an unknown requirement', ['explain', 'list.shap'], /did you mean list.shape\?/],
    [
      'a ready file that has nowhere to go',
      ['proxy', '--upstream', 'http://127.0.0.1:9', '--ready-file', 'nowhere/ready'],
      /the ready file cannot be written \(ENOENT\)[\s\S]*--ready-file nowhere\/ready/,
    ],
    [
      'a baseline that is a folder',
      ['baseline', 'update', '--report', report, '--baseline', folder],
      /the baseline cannot be read \(EISDIR\)[\s\S]*--baseline /,
    ],
    [
      'a baseline that is something else',
      ['baseline', 'update', '--report', report, '--baseline', list],
      /the baseline has no list "known"[\s\S]*--baseline/,
    ],
    [
      'a report of something else',
      ['baseline', 'update', '--report', odd, '--baseline', 'nowhere/known.yaml'],
      /the report cannot be read \(findings\[0\] is no finding\)[\s\S]*--report /,
    ],
    [
      'a coverage of something else',
      ['validate', file, '--coverage', file],
      /the coverage cannot be added to the file: it is no coverage/,
    ],
    [
      'tables that are none',
      ['validate', file, '--tables', list],
      /the table definitions cannot be read: entry 0 is no table with a "name"[\s\S]*--tables /,
    ],
    ['fields that are none', ['validate', file, '--tables', fields], /the "fields" of table "x" are no list/],
    [
      'a field that is none',
      ['proxy', '--upstream', 'http://127.0.0.1:9', '--tables', field],
      /field 0 of table "x" is no object with a "name"/,
    ],
    [
      'a baseline that has nowhere to go',
      ['baseline', 'update', '--report', report, '--baseline', 'nowhere/known.yaml'],
      /the baseline cannot be written \(ENOENT\)[\s\S]*--baseline nowhere\/known\.yaml/,
    ],
  ])(
    'exit 2 for %s',
    async (_name, args, message) => {
      const { code, out, err } = await conformance(args)
      expect(err).toMatch(/^record-auth-conformance \d/)
      expect(err).toMatch(message)
      expect(out.includes('    at ')).toBe(false)
      expect(code).toBe(2)
    },
    60_000,
  )
})

it('shows its options', async () => {
  const { code, out } = await conformance(['run', '--help'])
  expect(code).toBe(0)
  expect(out).toMatchSnapshot()
})

it('lists and explains', async () => {
  const listed = await conformance(['list', '--only', '2.1'])
  expect(listed.out).toMatch(/^record\.id +MUST +stated +2\.1/m)
  const explained = await conformance(['explain', 'record.id'])
  expect(explained.out).toMatch(/^record\.id\n[\s\S]*level +MUST[\s\S]*npx conformance --only record\.id/)
})

it('prints pure JSON that follows its schema, the same for the same seed', async () => {
  const args = ['--only', 'record', '--seed', '7', '--report', 'json=-']
  const [first, second] = [await conformance(args), await conformance(args)]
  const reports = [first, second].map(({ out }) => JSON.parse(out) as RunReport)
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(
    readData('report.schema') as object,
  )
  for (const report of reports) expect([validate(report), validate.errors]).toEqual([true, null])
  const facts = reports.map(({ requests, findings }) => ({
    requests,
    findings: findings.map((each) => [each.requirement, each.status, each.requests]),
  }))
  expect(facts[1]).toEqual(facts[0])
  expect(first.err).toMatch(/^record-auth-conformance \S+ {2}target embedded reference .* seed 7\n/)
}, 90_000)

it('prints nothing but the report that is asked for on the output, in any form', async () => {
  const badge = join(folder, 'badge.json')
  const args = ['--only', 'record.id', '--report', 'junit=-', '--report', `badge=${badge}`]
  const { code, out, err } = await conformance(args)
  expect(out).toMatch(/^<\?xml[\s\S]*<testcase name="record.id"[\s\S]*<\/testsuites>\n$/)
  expect(err).toMatch(/document: conformant 1\/1/)
  expect(JSON.parse(readFileSync(badge, 'utf8'))).toMatchObject({ message: '1/1', color: 'brightgreen' })
  expect(code).toBe(0)
})

it('replaces files as a whole, and writes the reports although the profile fails', async () => {
  const [report, link, before] = [
    join(folder, 'whole.json'),
    join(folder, 'link.json'),
    join(folder, 'before.json'),
  ]
  writeFileSync(report, 'before')
  linkSync(report, before)
  symlinkSync(report, link)
  const { code, err } = await conformance([
    ...['--only', 'record.id', '--report', `json=${link}`, '--write-profile', '/dev/full'],
  ])
  expect(err).toMatch(/the profile cannot be written \(ENOSPC\)/)
  expect(code).toBe(2)
  expect([lstatSync(link).isSymbolicLink(), readFileSync(before, 'utf8')]).toEqual([true, 'before'])
  expect(JSON.parse(readFileSync(report, 'utf8')).findings).toHaveLength(1)
})

it('stops both lanes of a run at Ctrl-C, and exits 130 without a stack', async () => {
  const child = start('--seed', '3')
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  while (!/^50\//m.test(out)) await once(child.stdout, 'data')
  child.kill('SIGINT')
  const [code] = (await once(child, 'close')) as [number]
  expect(out).toMatch(/stopping/)
  expect([code, err]).toEqual([130, ''])
  expect(out).not.toMatch(/^ +at /m)
}, 120_000)

describe('against a server of its own', () => {
  const ready = join(folder, 'target.json')
  let server: ReturnType<typeof serve>
  let baseUrl = ''
  let token = ''

  beforeAll(async () => {
    server = serve('--ready-file', ready)
    await until(() => existsSync(ready) && readFileSync(ready, 'utf8').endsWith('}\n'))
    const target = JSON.parse(readFileSync(ready, 'utf8'))
    expect(target.prefix).toBe('/api/v1')
    baseUrl = target.baseUrl
    token = target.credentials.superuser.token
  })

  afterAll(async () => {
    server.child.kill('SIGTERM')
    expect(await server.ended).toEqual([0, null])
    expect(existsSync(ready)).toBe(false)
  })

  async function count(table: string): Promise<number> {
    const response = await fetch(`${baseUrl}/api/v1/collections/${table}/records?perPage=1`, {
      headers: { authorization: token },
    })
    return ((await response.json()) as { totalItems: number }).totalItems
  }

  it('hands out a target file that only its owner reads, and that works', async () => {
    expect(statSync(ready).mode & 0o777).toBe(0o600)
    const { code, out } = await conformance(['--target', ready, '--only', 'record.id', '--only', 'create'])
    expect(out).toMatch(/document: conformant/)
    expect(out).not.toContain(token)
    expect(code).toBe(0)
  }, 60_000)

  it('refuses wrong credentials with the place and the next step', async () => {
    const wrong = {
      CONFORMANCE_SUPERUSER_IDENTITY: 'nobody@example.com',
      CONFORMANCE_SUPERUSER_PASSWORD: 'wrong-password',
    }
    const { code, out, err } = await conformance(['--base-url', baseUrl], wrong)
    expect(err).toMatch(
      /sign-in of "superuser" was answered with 400[\s\S]*credentials\.superuser[\s\S]*next/,
    )
    expect(out + err).not.toContain('wrong-password')
    expect(code).toBe(2)
    const stale = await conformance(['--base-url', baseUrl], {
      CONFORMANCE_SUPERUSER_TOKEN: 'stale-token-of-yesterday',
    })
    expect(stale.err).toMatch(/token is not accepted/)
    expect(stale.code).toBe(2)
  }, 60_000)

  it('runs what it can without credentials, says what is missing, and exits 3', async () => {
    const claims = ['--base-url', baseUrl, '--profile', 'standard']
    const { code, out } = await conformance([...claims, '--only', 'record,rules'])
    expect(out).toMatch(/CONFORMANCE_SUPERUSER_TOKEN/)
    expect(out).toMatch(/incomplete/)
    expect(code).toBe(3)
  }, 60_000)

  it('sends nothing but reads when it may only read', async () => {
    const before = await count('conf_plain')
    const { code } = await conformance(['--target', ready, '--read-only', '--only', 'record.id'])
    expect(code).toBe(3)
    expect(await count('conf_plain')).toBe(before)
  }, 60_000)

  it.each<[string, NodeJS.Signals, number]>([
    ['Ctrl-C', 'SIGINT', 1],
    ['the end of its terminal', 'SIGHUP', 2],
  ])(
    'cleans up at %s and exits 130',
    async (_, signal, times) => {
      const before = await count('conf_plain')
      const only = ['--only', 'batch,list,create,unique', '--runs', '20']
      const child = start('--target', ready, '--seed', '3', ...only)
      let out = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      await until(() => out.includes('seed 3'))
      // Now there is something to clean up.
      await until(async () => (await count('conf_plain')) > before)
      for (let sent = 0; sent < times; sent += 1) child.kill(signal)
      const [code] = await once(child, 'exit')
      expect(out).toMatch(/stopping/)
      expect(code).toBe(130)
      expect(await count('conf_plain')).toBe(before)
    },
    60_000,
  )
})
