/**
 * A second of each kind with a fixed seed, and the fuzzer's command line, which `npm run test:full` starts. `npm test` runs the
 * tests of what makes the inputs.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

async function fuzz(
  args: string[],
  stopAfter?: RegExp,
): Promise<{ code: number | null; out: string; err: string }> {
  const command = ['--import', import.meta.resolve('tsx'), 'proofs/fuzz/fuzz.ts', ...args]
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
    if (stopAfter?.test(err)) child.kill('SIGINT')
  })
  const [code] = await once(child, 'close')
  return { code, out, err }
}

describe.runIf(inFull)('the fuzzer', () => {
  const kinds = ['in-process', 'socket', 'raw', 'filter']
  const inputs = 20_000
  it(`finds nothing in ${inputs} inputs or a second of ${kinds.join(', ')}`, {
    timeout: 300_000,
  }, async () => {
    const { code, out, err } = await fuzz([
      ...['--only', ...kinds],
      ...['--seed', '1', '--inputs', `${inputs}`, '--time-limit', '1'],
    ])
    expect(out, err).not.toContain('✗')
    expect(code, out + err).toBe(0)
    for (const kind of kinds) expect(out).toMatch(new RegExp(`^${kind} +all +\\d`, 'm'))
    expect(out).toMatch(/^5xx +0$/m)
    expect(out).toMatch(/^disagreements +0$/m)
  })

  it('ends at Ctrl-C with what it has', { timeout: 120_000 }, async () => {
    const { code, out } = await fuzz(['--only', 'in-process'], /in-process 0/)
    expect(code).toBe(130)
    expect(out).toMatch(/^inputs +\d/m)
  })

  const mistakes: [string[], string][] = [
    [['--inputs', 'many'], 'whole number'],
    [['--only', 'nothing'], 'Allowed choices are in-process, socket, raw, filter'],
    [['--replay', '7'], 'in-process:1:0:12'],
  ]
  it.each(mistakes)('rejects %j', async (args, said) => {
    const { code, err } = await fuzz(args)
    expect(code).toBe(2)
    expect(err).toContain(said)
  })
})
