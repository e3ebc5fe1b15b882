/** `conformance compare` with two servers that are run now. */

import { afterEach, expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { conformance as command } from '../support/run-here.ts'
import { type SmallServer, startSmallServer } from '../support/small-server.ts'
import { MINUTE, targetRuns } from '../support/target-runs.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const { conformance } = targetRuns(command)

let server: SmallServer
let behind: TestServer
afterEach(() => {
  behind.close()
  server.close()
})

/** The same server behind another that counts one record too many. */
function miscounting(url: string): Promise<TestServer> {
  return startTestServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method = 'GET', headers } = request
    const body = parts.length === 0 ? undefined : Buffer.concat(parts)
    const { authorization, 'content-type': type } = headers
    const answer = await fetch(url + request.url, {
      method,
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(body && { body }),
    })
    const text = (await answer.text()).replace(
      /"totalItems":(\d+)/,
      (_, count) => `"totalItems":${+count + 1}`,
    )
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(text === '' ? undefined : text)
  })
}

// `npm test` compares reports: cli/compare.test.ts.
it.runIf(inFull)(
  'names what broke, and what was fixed the other way round',
  async () => {
    server = await startSmallServer()
    behind = await miscounting(server.url)
    const compared = (before: string, after: string) =>
      conformance([
        'compare',
        before,
        after,
        '--only',
        'list.total-items,list.shape,record.id',
        '--seed',
        '7',
      ])
    const worse = await compared(server.url, behind.url)
    expect([worse.code, worse.out]).toEqual([1, expect.stringMatching(/^broke\n.*list\.total-items/m)])
    const better = await compared(behind.url, server.url)
    expect([better.code, better.out]).toEqual([0, expect.stringMatching(/^fixed\n.*list\.total-items/m)])
    const same = await compared(server.url, server.url)
    expect([same.code, same.out]).toEqual([0, expect.stringMatching(/^nothing got worse: 3 the same$/m)])
    expect(server.count()).toBe(2)
  },
  4 * MINUTE,
)
