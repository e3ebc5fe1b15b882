/** What the command line rejects before it does anything. */

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { commandInProcess } from '../test/support/command-in-process.ts'
import { createProgram } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-program-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = (...args: string[]) => createProgram(() => {}).parseAsync(['node', 'conformance', ...args])

describe('an unknown command', () => {
  it.each<[string[], RegExp]>([
    [['constructor'], /^unknown command "constructor"\n(?![\s\S]*native code)/],
    [['lst'], /^unknown command "lst"\n[\s\S]*did you mean list\?$/],
    [['--seed', '1', 'validat'], /^unknown command "validat"\n[\s\S]*did you mean validate\?$/],
    [['traffic.har'], /^unknown command "traffic\.har"\n[\s\S]*use `conformance validate traffic\.har`$/],
    [['--only', 'list.*', 'view.*'], /separate what to run by commas: --only 'list\.\*,view\.\*'$/],
    [['record.id'], /^unknown command "record\.id"\n[\s\S]*--help/],
    [['foo', '--help'], /^unknown command "foo"\n/],
    [['help', 'lst'], /^unknown command "lst"\n[\s\S]*did you mean list\?$/],
    [['run', 'record.id'], /^the command "run" accepts only options[\s\S]*--only record\.id$/],
  ])(
    '%j',
    async (args, message) => {
      await expect(program(...args)).rejects.toThrow(message)
    },
    60_000,
  )
})

it.each<[string[], string]>([
  [['--onyl', 'x'], 'conformance run'],
  [['run', '--onyl', 'x'], 'conformance run'],
  [['serve', '--prot', '1'], 'conformance serve'],
  [['baseline', 'update', '--bseline', 'x'], 'conformance baseline update'],
])('an invalid option names the help of its command: %j', async (args, name) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await expect(program(...args)).rejects.toThrow(/option/)
    expect(write.mock.calls.join('')).toContain(`\n  next  \`${name} --help\` shows all options\n`)
  } finally {
    write.mockRestore()
  }
})

it('two reports for the same file, under any name', async () => {
  const [report, link] = [join(folder, 'report'), join(folder, 'link')]
  const both = (one: string, other: string, ...more: string[]) =>
    program('--report', `json=${one}`, '--report', `junit=${other}`, ...more)
  const toReject = /^two reports have the same file[\s\S]*--report json=\S+ --report junit=\S+\n/
  await expect(both(report, relative(process.cwd(), report))).rejects.toThrow(toReject)
  writeFileSync(report, '')
  symlinkSync(report, link)
  await expect(both(report, link)).rejects.toThrow(toReject)
  // The file behind the link has no name.
  await expect(
    both('/dev/stdout', report, '--write-profile', join(folder, 'nowhere/own.yaml')),
  ).rejects.toThrow(/the profile cannot be written/)
}, 60_000)

it.each([[['help', 'list']], [['http://127.0.0.1:8090', '--help']], [['help']], [['--help']]])(
  'the help of what is known: %j',
  async (args) => {
    const { code, out } = await commandInProcess(args)
    expect([code, out]).toEqual([0, expect.stringContaining('Usage: conformance')])
  },
)

it('--quiet and --verbose contradict each other', async () => {
  await expect(program('--quiet', '--verbose')).rejects.toThrow(
    /^--quiet and --verbose contradict each other/,
  )
})

it.each(['doctor', 'compare'])('%s --help names no option that it does not have', async (name) => {
  const { out } = await commandInProcess([name, '--help'])
  expect(out).toContain('--profile')
  expect(out).not.toMatch(/--write-profile|test the server/)
})

it('run --help shows its options', async () => {
  const { code, out } = await commandInProcess(['run', '--help'])
  expect(code).toBe(0)
  expect(out).toMatchSnapshot()
})

it('list --help shows its own options, since it runs nothing', async () => {
  const { code, out } = await commandInProcess(['list', '--help'])
  expect(code).toBe(0)
  expect(out).toMatchSnapshot()
})
