/** A server that names addresses of others: the run requests none of them, and holds the server to what it named. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from '../../harness/engine/run-in-process.ts'
import { planChecks } from '../../harness/planning/plan.ts'
import { loadSuites } from '../../harness/planning/suites.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startInBetween } from './in-between.ts'

const requirements = loadRequirements()
const checks = planChecks(await loadSuites(), requirements).filter(({ id }) => id.startsWith('oauth2.'))
const requested: string[] = []
let foreign: TestServer

beforeAll(async () => {
  foreign = await startTestServer(({ url = '' }, response) => {
    requested.push(url)
    response.writeHead(302, { location: 'http://app.example.com/callback?code=foreign&state=x' }).end()
  })
})
afterAll(() => foreign.close())

describe('an authURL', { timeout: 120_000 }, () => {
  // If there is none, the suite uses its own provider: with which address is left open by the document.
  const cases: [string, string, (url: string) => unknown][] = [
    ['of another server', 'oauth2.sign-in', (url) => url.replace(/^http:\/\/[^/]+/, foreign.url)],
    ['that is none', 'oauth2.challenge', () => 'nowhere'],
    ['that is a number', 'oauth2.challenge', () => 7],
    ['whose query the provider rejects', 'oauth2.sign-in', (url) => url.replace('S256', 'S1024')],
  ]
  it.each(cases.filter((_, at) => inFull || at < 1))(
    '%s fails %s, with the address, and is not requested',
    async (_, judged, make) => {
      const { target, close } = await startInBetween((body, { url }) => {
        if (!url.includes('/auth-methods')) return body
        const methods = JSON.parse(body)
        for (const provider of methods.oauth2?.providers ?? []) provider.authURL = make(provider.authURL)
        return JSON.stringify(methods)
      })
      try {
        const parts = { requirements }
        const options = { seed: 1, quick: true, runs: 0.2, timeout: 60_000 }
        const { findings, errors, ended } = await runInProcess(checks, target, parts, options)
        expect({ errors, ended }).toEqual({ errors: [], ended: undefined })
        const finding = findings.find(({ requirement }) => requirement === judged)
        expect(finding).toMatchObject({
          status: 'fail',
          message: expect.stringMatching(/authorization URL|authURL/),
        })
        expect(finding?.received).toBeDefined()
        expect(requested).toEqual([])
      } finally {
        await close()
      }
    },
  )
})
