/** What `init` and `doctor` learn of a server. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MINUTE, targetRuns } from '../support/target-runs.ts'

const { conformance, folder, started } = targetRuns()

it(
  'a target file can be had by asking the server, and says what it lacks',
  async () => {
    const { server } = await started()
    const written = await conformance(['init', '--base-url', server.baseUrl, '--table', 'notes', 'people'])
    expect(written.out).toMatch(/tables {2}notes, people \(sign-in\)/)
    const path = join(folder, 'conformance.target.yaml')
    expect(readFileSync(path, 'utf8')).toMatch(/plain: \{ name: notes/)
    expect((await conformance(['init', '--base-url', server.baseUrl])).out).toMatch(/exists already/)
    expect(server.log.filter((line) => !line.startsWith('GET '))).toEqual([])
    const { code, out } = await conformance(['doctor', '--target', path])
    expect(out).toMatch(/there: plain \(given\), members \(given\)/)
    expect(out).toMatch(/one more line would unlock\n +\d+ checks/)
    expect(code).toBe(3)
  },
  MINUTE,
)
