/**
 * Runs the steps of `action.yml` as a runner would: each script in bash, with the inputs, the outputs of earlier steps
 * and the environment of the job.
 *
 * @module
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { userEnvironment } from '../../scripts/support/user-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ActionStep {
  id?: string
  if?: string
  uses?: string
  with?: Record<string, string>
  env?: Record<string, string>
  run?: string
}

interface Action {
  inputs: Record<string, { default: string; description: string }>
  runs: { steps: ActionStep[] }
}

export const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action

export interface Job {
  /** The checkout of the action. Default: this repository, built. */
  checkout?: string
  /** The folder that the job works in. */
  folder: string
  inputs?: Record<string, string>
  /** What the job also has in its environment, secrets for example. */
  env?: Record<string, string>
  /** `RUNNER_OS`. @default 'Linux' */
  system?: string
  /** @default the path of this process */
  path?: string
  /** Does what a step that uses another action does: returns the folder that it puts first in the path, if any. */
  use?: (step: ActionStep) => string | undefined
}

export interface ActionEnd {
  status: number
  reported: string
  summary: string
  outputs: Record<string, string>
}

/** A copy of the files of this repository that git would commit, neither installed nor built. */
export function cleanCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'))
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  for (const name of execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0'))
    if (name !== '' && existsSync(join(root, name))) cpSync(join(root, name), join(folder, name))
  return folder
}

/** A folder for the path of a job that has these scripts as commands, and the system's own of these names. */
export function commands(scripts: Record<string, string>, system: string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'bin-'))
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`, { mode: 0o755 })
  for (const name of system)
    symlinkSync(
      execFileSync('bash', ['-c', `type -P ${name}`], { encoding: 'utf8' }).trim(),
      join(folder, name),
    )
  return folder
}

/** Whether a step runs. Knows the one form of condition that the action has. */
function applies(
  { if: condition }: ActionStep,
  outputs: ReadonlyMap<string, Record<string, string>>,
): boolean {
  if (condition === undefined) return true
  const [, id = '', name = '', value] = /^steps\.(\w+)\.outputs\.(\w+) != '(\w*)'$/.exec(condition) ?? []
  if (value === undefined) throw new Error(`The tests do not know the condition "${condition}".`)
  return (outputs.get(id)?.[name] ?? '') !== value
}

function inputsOf(step: ActionStep, given: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(step.env ?? {}).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? ''
      return [name, given[input] ?? action.inputs[input]?.default ?? `no input ${input}`]
    }),
  )
}

/** Runs the steps up to the first that fails. */
export function runAction(job: Job): ActionEnd {
  const { folder, checkout = root, system = 'Linux' } = job
  mkdirSync(folder, { recursive: true })
  const summary = join(folder, 'step-summary')
  writeFileSync(summary, '')
  const outputs = new Map<string, Record<string, string>>()
  let path = job.path ?? process.env.PATH ?? ''
  let reported = ''
  let status = 0
  for (const step of action.runs.steps) {
    if (!applies(step, outputs)) continue
    if (step.run === undefined) {
      const first = job.use?.(step)
      if (first !== undefined) path = `${first}${delimiter}${path}`
      continue
    }
    const output = join(folder, 'step-output')
    writeFileSync(output, '')
    const ended = spawnSync('/bin/bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...userEnvironment(),
        ...job.env,
        ...inputsOf(step, job.inputs),
        PATH: path,
        RUNNER_OS: system,
        GITHUB_ACTION_PATH: checkout,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
      },
    })
    reported += ended.stdout + ended.stderr
    const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean)
    if (step.id)
      outputs.set(step.id, Object.fromEntries(lines.map((line) => line.split('=') as [string, string])))
    status = ended.status ?? 1
    if (status !== 0) break
  }
  return { status, reported, summary: readFileSync(summary, 'utf8'), outputs: outputs.get('run') ?? {} }
}
