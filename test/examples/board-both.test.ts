/**
 * The example application's own tests, unchanged, on the reference inside the process and on the living server.
 */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { livingBinary } from '../../scripts/living/living-server.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { userEnvironment } from '../../scripts/support/user-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const living = fileURLToPath(new URL('./living-backend.ts', import.meta.url))
/** Undefined if it is not run: Go compiles it with all cores for minutes. */
const binary = inFull ? await livingBinary() : undefined

interface Run {
  /** `name: passed`, in order. */
  results: string[]
  /** Milliseconds that the tests took, without loading them; starting the server is part of it. */
  tests: number
}

async function run(environment: Record<string, string>): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'board-'))
  const output = join(folder, 'report.json')
  const args = [
    'vitest',
    'run',
    'examples/board',
    '--config',
    'vitest.examples.config.ts',
    '--reporter',
    'json',
  ]
  try {
    await promisify(execFile)('npx', [...args, '--outputFile', output], {
      cwd: root,
      env: { ...userEnvironment(), ...environment },
    }).catch(() => undefined)
    const { testResults } = JSON.parse(await readFile(output, 'utf8')) as {
      testResults: {
        startTime: number
        endTime: number
        assertionResults: { fullName: string; status: string }[]
      }[]
    }
    const results = testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName, status }) => `${fullName}: ${status}`),
    )
    const tests = testResults.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
    return { results, tests }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test.runIf(inFull)(
  'the application passes on the reference',
  async () => {
    const { results } = await run({})
    expect(results.length).toBeGreaterThan(10)
    expect(results.filter((line) => !line.endsWith(': passed'))).toEqual([])
  },
  60_000,
)

test.runIf(binary !== undefined && !('missing' in binary))(
  'and on the living server with the same results',
  async ({ annotate }) => {
    const here = await run({})
    const there = await run({ BOARD_BACKEND: living })
    expect(there.results).toEqual(here.results)
    await annotate(
      `tests on the reference ${Math.round(here.tests)} ms, on the living server ${Math.round(there.tests)} ms`,
    )
    console.log(`reference ${Math.round(here.tests)} ms · living server ${Math.round(there.tests)} ms`)
    expect(here.tests).toBeLessThan(there.tests)
  },
  120_000,
)
