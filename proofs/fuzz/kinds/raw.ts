/**
 * Bytes over sockets, many connections at the same time: the server must keep running, and send only HTTP without a 5xx.
 *
 * @module
 */

import { createValidator } from '../../../validate/validate.ts'
import { hexOf } from '../curl-of.ts'
import { type RawMessage, rawGroups } from '../generate/raw-messages.ts'
import { longestBlock } from '../judge/judge-fuzzed.ts'
import { Misbehaved } from '../misbehaved.ts'
import { parseResponses, type RawResponse, sendRaw } from '../targets/send-raw.ts'
import type { ServerProcess, StartServer } from '../targets/server-process.ts'
import { serverKeeper } from '../targets/socket.ts'
import type { FuzzWorld } from '../world/world.ts'
import type { Observer, Runner } from './rounds.ts'

const plain: RawMessage = {
  name: 'plain',
  bytes:
    'GET /api/v1/collections/conf_plain/records HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
  cuts: [],
  ending: 'half-close',
}
/** Milliseconds until a plain request must have its response. */
const patience = 30_000
const retry = 50

export function rawRunner(
  start: StartServer,
  stateFile: string,
  { tables, secrets }: FuzzWorld,
): Runner<RawMessage[]> {
  const keeper = serverKeeper(start, stateFile)
  const validator = createValidator({ tables, profile: 'standard', strict: true })

  /** @returns the longest block of the server's event loop, in milliseconds of CPU */
  async function once(group: readonly RawMessage[], observer?: Observer): Promise<number> {
    const server = await keeper.running()
    await server.reset()
    server.longestBlock()
    await Promise.all(
      group.map(async (message) => {
        const bytes = await sendRaw(server.port, message)
        const responses = parseResponses(bytes)
        const status = responses?.[0]?.status ?? 'none'
        observer?.count(`raw: ${message.name}`, status, typeof status === 'number' && status < 400)
        if (responses === undefined)
          throw new Misbehaved('protocol', message.name, `no HTTP: ${bytes.toString('latin1', 0, 200)}`)
        for (const [at, response] of responses.entries()) judge(message, response, at)
      }),
    ).catch(async (error) => {
      await stillThere(server)
      throw error
    })
    await stillThere(server)
    const cpu = server.longestBlock()
    const [trouble] = server.troubles()
    if (trouble !== undefined) throw new Misbehaved('5xx', trouble.split('\n')[0] ?? '', trouble)
    return cpu
  }

  function judge({ name, bytes }: RawMessage, { status, headers, body }: RawResponse, at: number): void {
    const text = body.toString()
    if (status >= 500)
      throw new Misbehaved('5xx', `${name} ${status}`, `status ${status}: ${text.slice(0, 300)}`)
    if (secrets.ofAll.test(text) || text.includes(secrets.hidden))
      throw new Misbehaved('leak', name, 'the response contains a secret')
    const [, method = '', url] = /^(?:\r\n)*([A-Z]+) (\S+) HTTP\/1\.[01]\r\n/.exec(bytes) ?? []
    // The description has no status for an expectation that cannot be met. Later responses belong to later requests.
    if (url === undefined || at > 0 || status === 417 || method === 'HEAD' || !url.startsWith('/')) return
    const result = validator.validate({ request: { method, url }, response: { status, headers, body } })
    const [finding] = result.findings
    if (finding === undefined) return
    throw new Misbehaved('disagreement', finding.requirement, finding.toString())
  }

  async function stillThere(server: ServerProcess): Promise<void> {
    for (const until = Date.now() + patience; Date.now() < until; ) {
      const ended = server.ended()
      if (ended !== undefined) throw ended
      const [response] = parseResponses(await sendRaw(server.port, plain)) ?? []
      if (response?.status === 200) return
      await new Promise((resolve) => setTimeout(resolve, retry))
    }
    await keeper.stop()
    throw new Misbehaved('hang', 'plain request', `no response to a plain request for ${patience / 1000} s`)
  }

  return {
    arbitrary: rawGroups,
    async run(group, observer) {
      let cpu = await once(group, observer)
      for (let again = 0; again < 2 && cpu > longestBlock; again++) cpu = Math.min(cpu, await once(group))
      observer.block(
        cpu,
        () =>
          `a group of ${group.length} connections: ${hexOf(Buffer.from(group[0]?.bytes ?? '', 'latin1')).slice(0, 400)}`,
      )
      if (cpu <= longestBlock) return
      const names = [...new Set(group.map(({ name }) => name))].join(' ')
      throw new Misbehaved('block', `raw`, `the group takes ${Math.round(cpu)} ms of CPU: ${names}`)
    },
    show: (group) =>
      group.map(
        ({ name, bytes, cuts, ending }) =>
          `${name}, then ${ending}${cuts.length > 0 ? `, cut at ${cuts}` : ''}: ${hexOf(Buffer.from(bytes, 'latin1'))}`,
      ),
    close: () => keeper.stop(),
  }
}
