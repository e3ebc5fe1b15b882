/** `conformance serve` as a user gets it: the console's files, the control endpoints and `--exec` of the package. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServe } from '../../scripts/support/serve-process.ts'
import { type InstalledPackage, installPackage } from '../support/installed-package.ts'

const MINUTE = 60_000
let user: InstalledPackage

beforeAll(async () => {
  user = await installPackage()
  await writeFile(join(user.folder, 'data.yaml'), 'posts:\n  - { id: 1, title: hello }\n')
}, 8 * MINUTE)
afterAll(() => user.remove())

describe('the packed command', { timeout: 3 * MINUTE }, () => {
  it('serves a data file, the whole console page, and the control endpoints', async () => {
    const file = join(user.folder, 'node_modules/record-auth-conformance/dist/cli/main.js')
    const server = startServe(['--data', join(user.folder, 'data.yaml'), '--control'], { file })
    const [, url = ''] = await server.says(/reference at (http:\/\/[^/]+)/)
    await server.says(/superuser /)
    const get = (path: string) => fetch(url + path)
    expect(await (await get('/api/v1/collections/posts/records/1')).json()).toMatchObject({ title: 'hello' })

    const seen = new Set<string>()
    const waiting = ['index.html']
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (seen.has(name)) continue
      seen.add(name)
      const response = await get(`/_/${name}`)
      expect([name, response.status]).toEqual([name, 200])
      const text = await response.text()
      for (const [, next] of text.matchAll(/(?:from '\.\/|(?:src|href)=")([a-z-]+\.(?:js|css|svg))['"]/g))
        if (next !== undefined) waiting.push(next)
    }
    expect(seen.size).toBeGreaterThan(12)
    expect((await get('/_/../package.json')).status).toBe(404)
    expect((await get('/_/nowhere.js')).status).toBe(404)

    const requests = (await (await get('/_conformance/requests')).json()) as {
      requests: { findings: unknown[] }[]
    }
    expect(requests.requests[0]?.findings).toEqual([])
    expect(await server.stop()).toBe(0)
  })

  it('runs a command and passes its exit code', async () => {
    const line = `node -e "fetch(process.env.API_URL + '/collections/posts/records').then((one) => process.exit(one.status - 190))"`
    const { code } = await user.run('npx', ['conformance', 'serve', '--data', 'data.yaml', '--exec', line])
    expect(code).toBe(10)
  })
})
