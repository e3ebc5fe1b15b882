/**
 * `--target pocketbase` as a user has it: from the packed package, in an empty folder, with the superuser in the
 * environment.
 */

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LivingServer, livingBinary, startLivingServer } from '../../scripts/living/living-server.ts'
import { type InstalledPackage, installPackage } from '../support/installed-package.ts'

const binary = await livingBinary()
const missing = 'missing' in binary ? binary.missing : undefined
let server: LivingServer
let user: InstalledPackage

describe.skipIf(missing !== undefined)('the packed command', () => {
  beforeAll(async () => {
    if ('missing' in binary) return
    server = await startLivingServer(binary.path)
    user = await installPackage()
  })
  afterAll(async () => {
    await server?.stop()
    await user?.remove()
  })

  it('tests the living server by the name of its target, and leaves nothing', async () => {
    const before = await server.call('GET', '/api/collections?perPage=500')
    const { identity, password } = server.superuser
    const env = {
      CONFORMANCE_SUPERUSER_IDENTITY: identity,
      CONFORMANCE_SUPERUSER_PASSWORD: password,
      CONFORMANCE_STATE_DIR: join(user.folder, 'state'),
    }
    const target = ['--target', 'pocketbase', '--base-url', server.baseUrl]
    const doctor = await user.run('npx', ['conformance', 'doctor', ...target], env)
    expect(doctor.stdout).toMatch(/✓ superuser signs in/)
    // The last: of concurrent updates, this server sometimes loses one (docs/results/versions.md).
    const skipped = 'prefix.v1,wire.*,update.fields-at-once'
    const only = ['--only', 'stated,implied', '--skip', skipped, '--runs', '0.3']
    const { code, stdout } = await user.run('npx', ['conformance', ...target, ...only], env)
    expect(stdout).toMatch(/document: conformant in part (\d+)\/\1/)
    expect(code).toBe(0)
    expect(await server.call('GET', '/api/collections?perPage=500')).toEqual(before)
  })
})
