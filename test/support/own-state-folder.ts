import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'

/**
 * Gives the runs of a test file a folder of their own for what they remember of each other, until its tests are done. To be
 * called once, outside of the tests.
 *
 * @returns the folder, which the tests can use, too
 */
export function ownStateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'state-'))
  beforeAll(() => void vi.stubEnv('CONFORMANCE_STATE_DIR', folder))
  afterAll(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
