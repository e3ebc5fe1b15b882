/** Where no table is for owners only, the refresh of a session shows whether the server looks at tokens. */

import { describe, expect, it, onTestFinished } from 'vitest'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { copyOf, type Front, startFronted } from '../support/fronted-reference.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'

ownStateFolder()

const tables: TableDefinition[] = [
  {
    name: 'users',
    type: 'auth',
    listRule: '',
    viewRule: '',
    createRule: '',
    updateRule: 'id = @request.auth.id',
    deleteRule: 'id = @request.auth.id',
    fields: [
      { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
      { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
    ],
  },
]

const ids = ['token-header', 'token-as-is', 'no-token', 'token-altered', 'token-own-record', 'user-token']

async function findingsOf(front: Front, only: readonly string[]) {
  const server = await startFronted({ tables, passwordCost: 4 }, front)
  onTestFinished(() => server.close())
  const { findings } = await runConformance({ baseUrl: server.url, seed: 7, only: [...only] })
  return findings
}

async function run(front: Front) {
  const findings = await findingsOf(
    front,
    ids.map((id) => `auth.${id}`),
  )
  const withStatus = (status: string) =>
    findings.filter((each) => each.status === status).map(({ requirement }) => requirement.slice(5))
  return { passed: withStatus('pass'), failed: withStatus('fail') }
}

const isRefresh = ({ url }: Request) => url.endsWith('/auth-refresh')

/** Refreshes with another token: `choose` is given the one that was sent, and all that were issued, the oldest first. */
function refreshing(choose: (sent: string | null, issued: readonly string[]) => string | null): Front {
  const issued: string[] = []
  return async (request, next) => {
    const headers = new Headers(request.headers)
    const token = choose(headers.get('authorization'), issued)
    if (isRefresh(request) && token !== null) headers.set('authorization', token)
    const response = await next(await copyOf(request, { headers }))
    if (request.url.endsWith('/auth-with-password') && response.ok)
      issued.push(((await response.clone().json()) as { token: string }).token)
    return response
  }
}

describe('tokens without a table for owners', { timeout: 120_000 }, () => {
  it('are checked by refreshes', async () => {
    const { passed, failed } = await run((request, next) => next(request))
    expect({ passed: passed.sort(), failed }).toEqual({ passed: [...ids].sort(), failed: [] })
  })

  const mistakes: [string, string[], Front][] = [
    [
      'a guest is the one who signed in last',
      ['no-token'],
      refreshing((sent, issued) => sent ?? issued.at(-1) ?? null),
    ],
    [
      'any string is the token of the one who signed in last',
      ['token-altered'],
      refreshing((sent, issued) =>
        sent !== null && !issued.includes(sent) ? (issued.at(-1) ?? null) : sent,
      ),
    ],
    [
      'each token is that of the one who signed in first',
      ['token-header'],
      refreshing((sent, issued) => (sent === null ? null : (issued[0] ?? null))),
    ],
    [
      'a token needs a scheme',
      ['token-as-is', 'token-header', 'user-token'],
      async (request, next) => {
        const headers = new Headers(request.headers)
        const sent = headers.get('authorization')
        if (sent === null) return next(request)
        headers.set('authorization', sent.startsWith('Bearer ') ? sent.slice(7) : 'none')
        return next(await copyOf(request, { headers }))
      },
    ],
  ]
  it.each(mistakes)('fail where %s', async (_, expected, front) => {
    const { failed } = await run(front)
    expect(failed).toEqual(expect.arrayContaining(expected))
  })
})

describe('impersonation without a superuser', { timeout: 120_000 }, () => {
  const impersonate = ['impersonate.superuser-only']

  it('fails where an account impersonates itself', async () => {
    const front: Front = async (request, next) => {
      const url = new URL(request.url.replace(/\/impersonate\/.*$/, '/auth-refresh'))
      return next(await copyOf(request, { url }))
    }
    expect(await findingsOf(front, impersonate)).toMatchObject([
      {
        status: 'fail',
        message: expect.stringContaining('an impersonation by the account itself yields a token'),
      },
    ])
  })

  it('is not judged where no one can', async () => {
    expect(await findingsOf((request, next) => next(request), impersonate)).toMatchObject([
      { status: 'untestable', hint: expect.stringMatching(/^set CONFORMANCE_SUPERUSER_TOKEN/) },
    ])
  })
})
