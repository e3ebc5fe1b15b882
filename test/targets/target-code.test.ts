/** Targets that bring a setup, a teardown and hooks. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conformance as command } from '../support/run-here.ts'
import { MINUTE, outcomes, targetRuns } from '../support/target-runs.ts'

const { file, folder, run, started } = targetRuns(command)

describe('targets that bring code', () => {
  it(
    'make tables and hooks before the run, and undo it after',
    async () => {
      const { server, target } = await started()
      const { tables, binding } = target
      const trace = join(folder, 'trace')
      const module = file(
        'mine.target.mjs',
        `import { appendFileSync } from 'node:fs'
        const trace = (text) => appendFileSync(${JSON.stringify(trace)}, text + '\\n')
        export default {
          baseUrl: ${JSON.stringify(server.baseUrl)},
          binding: ${JSON.stringify(binding)},
          hooks: { clock: () => trace('clock') },
        }
        export function setup({ tables, run, prefix, baseUrl }) {
          trace('setup ' + prefix + ' ' + tables.some(({ name }) => name === 'conf_plain') + ' ' + /^[a-z0-9]{5}$/.test(run))
          return { name: 'made', tables: { plain: ${JSON.stringify(tables.plain)} }, hooks: { restart: () => trace('restart') } }
        }
        export function teardown(input, result) { trace('teardown ' + result.name) }
        `,
      )
      const { report } = await run(['--target', module, '--only', 'record.id,list.shape'])
      expect(report.target.name).toBe('made')
      expect(outcomes(report.findings)).toEqual(['list.shape pass', 'record.id pass'])
      expect(report.smoke.capabilities.clock).toBe(true)
      expect(readFileSync(trace, 'utf8').trim().split('\n')).toEqual([
        'setup /api/v1 true true',
        'teardown made',
      ])
    },
    MINUTE,
  )

  it(
    'name modules of hooks relative to themselves, wherever the command runs',
    async () => {
      const { target } = await started()
      file('own-clock.mjs', 'export const clock = () => ({ now: new Date().toISOString() })')
      const named = (clock: string) =>
        file(`${clock}.json`, JSON.stringify({ ...target, hooks: { clock: `./${clock}.mjs` } }))
      const { report } = await run(['--target', named('own-clock'), '--only', 'record.id'])
      expect(report.smoke.capabilities.clock).toBe(true)
      const { code, err } = await command(['--target', named('no-clock'), '--only', 'record.id'])
      expect(err).toContain(`there is no file ${join(folder, 'no-clock.mjs')}`)
      expect(code).toBe(2)
    },
    MINUTE,
  )

  it.each<[string, string, RegExp]>([
    [
      'an unknown key',
      'export default { baseUrl: "http://127.0.0.1:1", tabels: {} }',
      /did you mean "tables"/,
    ],
    ['a setup that is none', 'export const setup = 1', /"setup" is not a function/],
    [
      'a setup that throws',
      'export default { baseUrl: "http://127.0.0.1:1" }\nexport function setup() { throw new Error("no luck") }',
      /the setup failed: no luck/,
    ],
    ['a syntax error', 'export default {', /cannot be loaded/],
    [
      'a misspelled hook',
      'export default { baseUrl: "http://127.0.0.1:1", hooks: { clok() {} } }',
      /unknown key "hooks\.clok"[\s\S]*did you mean "clock"/,
    ],
    [
      'a misspelled hook of its own export',
      'export default { baseUrl: "http://127.0.0.1:1" }\nexport const hooks = { mailbx: "http://127.0.0.1:1" }',
      /unknown key "hooks\.mailbx"[\s\S]*did you mean "mailbox"/,
    ],
    [
      'a misspelled export',
      'export default { baseUrl: "http://127.0.0.1:1" }\nexport function seutp() {}',
      /nothing uses the export "seutp"[\s\S]*did you mean "setup"/,
    ],
  ])(
    'are rejected with %s',
    async (name, text, message) => {
      const { code, err } = await command(['--target', file(`${name.replaceAll(' ', '-')}.mjs`, text)])
      expect(err).toMatch(message)
      expect(code).toBe(2)
    },
    MINUTE,
  )

  it(
    'that are shipped go by their name',
    async () => {
      const { code, err } = await command(['--target', 'pocketbsae'])
      expect(err).toMatch(/did you mean pocketbase\?/)
      expect(code).toBe(2)
    },
    MINUTE,
  )
})
