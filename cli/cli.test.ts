/**
 * The command line as a process: streams, reports, signals.
 */

import { once } from 'node:events'
import { linkSync, lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { readData } from '../spec/read-data.ts'
import { conformance, startCommand } from '../test/support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a reader that closes the pipe', () => {
  it('ends the list without an error', async () => {
    const child = startCommand('list')
    let complaint = ''
    child.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    child.stdout.destroy()
    const [code] = (await once(child, 'exit')) as [number]
    expect([code, complaint]).toEqual([0, ''])
  })
})

it('prints pure JSON that follows its schema, the same for the same seed', async () => {
  const args = ['--only', 'delete', '--seed', '7', '--report', 'json=-']
  const [first, second] = await Promise.all([conformance(args), conformance(args)])
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

it('writes annotations in a GitHub job, where nothing else in the output is a command', async () => {
  const { code, out } = await conformance(['--only', 'record.id', '--max-requests', '1'], {
    env: { GITHUB_ACTIONS: 'true' },
  })
  const [, end, rest] = /^::stop-commands::(\S+)\n[\s\S]*^::\1::\n([\s\S]*)$/m.exec(out) ?? []
  expect(end).toMatch(/^[\w-]{36}$/)
  expect([code, rest]).toEqual([3, expect.stringMatching(/^::error title=conformance%3A incomplete::/)])
}, 60_000)

it('prints only the requested report on stdout, in any format', async () => {
  const badge = join(folder, 'badge.json')
  const args = ['--only', 'record.id', '--report', 'junit=-', '--report', `badge=${badge}`]
  const { code, out, err } = await conformance(args)
  expect(out).toMatch(/^<\?xml[\s\S]*<testcase name="record.id"[\s\S]*<\/testsuites>\n$/)
  expect(err).toMatch(/document: conformant 1\/1/)
  expect(JSON.parse(readFileSync(badge, 'utf8'))).toMatchObject({
    message: '1/1 of a selection',
    color: 'brightgreen',
  })
  expect(code).toBe(0)
})

it('replaces files atomically, and writes the reports even if the profile fails', async () => {
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

it('stops both shards of a run at Ctrl-C, and exits 130 without a stack trace', async () => {
  const child = startCommand('--seed', '3', '--runs', '0.1')
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  while (!/^50\//m.test(err)) await once(child.stderr, 'data')
  child.kill('SIGINT')
  const [code] = (await once(child, 'close')) as [number]
  expect(out + err).toMatch(/stopping/)
  expect(code).toBe(130)
  expect(out + err).not.toMatch(/^ +at /m)
}, 120_000)
