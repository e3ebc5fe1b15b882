/**
 * Servers whose responses to the first requests of a run cannot be used, over raw sockets: the run does not end with an
 * error, what cannot be used becomes a finding or `untestable`, and the other checks go on.
 */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { runInProcess } from '../../harness/engine/run-in-process.ts'
import { verdictOf } from '../../harness/judging/verdict.ts'
import { planChecks } from '../../harness/planning/plan.ts'
import { loadSuites } from '../../harness/planning/suites.ts'
import { standardBinding } from '../../spec/gaps.ts'
import { loadRequirements } from '../../spec/requirements.ts'

const requirements = loadRequirements()
const list = '{"page":1,"perPage":30,"totalItems":0,"totalPages":0,"items":[]}'
const half = 25_000
const deep = `${'['.repeat(half)}${']'.repeat(half)}`

/** What is written to the socket, instead of a response to a list. */
const unusable: Readonly<Record<string, (socket: Socket) => void>> = {
  'a body that cannot be decoded': (socket) =>
    void socket.write(response(list, 'content-encoding: gzip\r\n')),
  'JSON that nests too deep': (socket) => void socket.write(response(deep)),
  'more than 64 MiB': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${2 ** 27}\r\n\r\n`)
    const chunk = Buffer.alloc(2 ** 22, ' ')
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  },
  'what is not HTTP': (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
  'a status line without a status': (socket) => void socket.write('HTTP/1.1 OK\r\n\r\n'),
  'a header without a name': (socket) => void socket.write(`HTTP/1.1 200 OK\r\n: x\r\n\r\n`),
  'no response, and a closed connection': (socket) => void socket.end(),
  'a 429 without end': (socket) => void socket.write(response('{}', '', '429 Too Many Requests')),
}

function response(body: string, headers = '', status = '200 OK'): string {
  const length = Buffer.byteLength(body)
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}content-length: ${length}\r\n\r\n${body}`
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Responds to a list of the tables with `bad`, to anything else with 404. Unbroken: those of the table "other". */
async function start(bad: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      const [, method, path = ''] = /^([A-Z]+) (\S+)/.exec(chunk.toString('latin1')) ?? []
      // The rest of a body.
      if (method === undefined) return
      if (path.includes('/plain/')) bad(socket)
      else if (path.includes('/related/')) socket.write(response(list))
      else socket.write(response('{}', '', '404 Not Found'))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function run(bad: (socket: Socket) => void) {
  const baseUrl = await start(bad)
  const checks = planChecks(await loadSuites(), requirements, {
    only: ['list.shape', 'view.record', 'list.expand-relation'],
  })
  const table = (name: string) => ({ role: name, name })
  const target = {
    baseUrl,
    binding: standardBinding(),
    capabilities: {},
    tables: { plain: table('plain'), related: table('related') },
    credentials: { superuser: { token: 'of-a-superuser' } },
  }
  const parts = { requirements, pause: async () => {} }
  return runInProcess(checks, target, parts, { seed: 1, quick: true, runs: 0.1, timeout: 30_000 })
}

describe('a run goes on where its first requests get', () => {
  it.each(Object.entries(unusable))('%s', { timeout: 120_000 }, async (name, bad) => {
    const { findings, errors, ended, session } = await run(bad)
    expect({ errors, ended }).toEqual({ errors: [], ended: undefined })
    expect(session.smoke.notes.join('\n')).toContain('received an unusable response')
    const statuses = Object.fromEntries(findings.map(({ requirement, status }) => [requirement, status]))
    expect(statuses['list.shape']).toBe(name.startsWith('a 429') ? 'untestable' : 'fail')
    expect(findings.length).toBeGreaterThan(1)
    const { exitCode } = verdictOf({ findings, errors })
    expect(exitCode).not.toBe(2)
  })
})

it('a server that rejects everything alike, a superuser included, is not accused of rejecting auth-methods', async () => {
  const rejected = response('{"error":"no"}', '', '403 Forbidden')
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => void socket.write(rejected))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const checks = planChecks(await loadSuites(), requirements, { only: ['auth-methods'] })
  const target = {
    baseUrl: `http://127.0.0.1:${port}`,
    binding: standardBinding(),
    capabilities: {},
    tables: { members: { role: 'members', name: 'people' } },
    credentials: { superuser: { token: 'of-a-superuser' } },
  }
  const { findings, session } = await runInProcess(checks, target, { requirements }, { seed: 1 })
  expect(session.smoke.notes[0]).toContain('the server rejects every request')
  const judged = findings.filter(({ status }) => status === 'fail' || status === 'pass')
  expect(judged.map(({ requirement, status }) => `${requirement} ${status}`)).toEqual([])
  const blocked = findings.find(({ requirement }) => requirement === 'auth-methods.lists')
  expect(blocked).toMatchObject({
    status: 'blocked',
    message: expect.stringContaining('even for paths that'),
  })
})
