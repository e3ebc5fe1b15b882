/** The GitHub action, run as a runner would: its script in bash, with the inputs in the environment. */

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { command } from './support/command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Step {
  uses?: string
  with?: Record<string, string>
  env?: Record<string, string>
  run?: string
}

interface Action {
  inputs: Record<string, { default: string; description: string }>
  runs: { steps: [Step & { run: string; env: Record<string, string> }] }
}

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action
const [step] = action.runs.steps
const folder = mkdtempSync(join(tmpdir(), 'action-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The command as `npx` would find it, built. */
function fakeNpx(): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const npx = join(bin, 'npx')
  writeFileSync(
    npx,
    `#!/usr/bin/env bash
[ "$1 $2 $3" = "--yes --package=record-auth-conformance conformance" ] || exit 99
shift 3
exec node ${command} "$@"
`,
  )
  chmodSync(npx, 0o755)
  return bin
}

function run(given: Record<string, string>) {
  const summary = join(folder, 'summary')
  const output = join(folder, 'output')
  for (const file of [summary, output]) writeFileSync(file, '')
  const inputs = Object.fromEntries(
    Object.entries(step.env).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? ''
      return [name, given[input] ?? action.inputs[input]?.default ?? `no input ${input}`]
    }),
  )
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...inputs,
        PATH: `${fakeNpx()}${delimiter}${process.env.PATH}`,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
      },
    },
  )
  return {
    status,
    told: stdout + stderr,
    summary: readFileSync(summary, 'utf8'),
    output: readFileSync(output, 'utf8'),
  }
}

describe('the action', () => {
  it('runs the suite, leaves the reports, and tells the outcome', () => {
    const { status, told, summary, output } = run({ arguments: '--only\nrecord.id,list.shape\n--seed\n7' })
    expect([status, told]).toEqual([0, expect.stringContaining('document: conformant 2/2')])
    expect(summary).toContain('document: conformant 2/2')
    expect(output).toBe('outcome=conformant\n')
    for (const file of ['report.json', 'junit.xml', 'report.html', 'badge.json'])
      expect(readFileSync(join(folder, 'conformance-report', file), 'utf8')).not.toBe('')
  }, 60_000)

  it('fails with the exit code of the command, and says nothing of an earlier run', () => {
    const { status, told, summary, output } = run({ 'base-url': 'http://127.0.0.1:1' })
    expect([status, told]).toEqual([2, expect.stringContaining('127.0.0.1:1')])
    expect([summary, output]).toEqual(['', ''])
  }, 60_000)

  it('has the inputs that the README gives it', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const [, workflow = ''] = /^```yaml file=workflow\.yml\n([\s\S]*?)^```$/m.exec(readme) ?? []
    const { jobs } = parse(workflow) as { jobs: { conformance: { steps: Step[] } } }
    const used = jobs.conformance.steps.find(({ uses }) => uses?.startsWith('record-auth-conformance/'))
    expect(Object.keys(action.inputs)).toEqual(
      expect.arrayContaining(Object.keys(used?.with ?? { nothing: '' })),
    )
  })
})
