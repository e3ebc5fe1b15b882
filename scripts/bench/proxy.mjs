/**
 * Requests in a second through our proxy, through Prism's, and through a bare node:http proxy, in interleaved rounds.
 *
 * PEERS=/folder node scripts/bench/proxy.mjs
 */

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dist, list, median, path, peersFolder, requirePeer } from './peers.mjs'

const body = JSON.stringify(list())

/** Each server runs in a process of its own. */
const roles = {
  upstream: () =>
    createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    ),
  bare(upstream) {
    const agent = new Agent({ keepAlive: true, maxSockets: 256 })
    return createServer((incoming, outgoing) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: upstream,
          method: incoming.method,
          path: incoming.url,
          headers: incoming.headers,
          agent,
        },
        (answer) => {
          outgoing.writeHead(answer.statusCode, answer.headers)
          answer.pipe(outgoing)
        },
      )
      incoming.pipe(asked)
    })
  },
}
if (process.env.BENCH_ROLE) {
  const server = roles[process.env.BENCH_ROLE](Number(process.env.BENCH_UPSTREAM))
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
} else await main()

async function own(role, upstream = 0) {
  const child = fork(fileURLToPath(import.meta.url), {
    env: { ...process.env, BENCH_ROLE: role, BENCH_UPSTREAM: String(upstream) },
  })
  const [port] = await once(child, 'message')
  return { child, port }
}

async function until(check) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await check().catch(() => undefined)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('what was waited for did not come within 30 seconds')
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-proxy-'))
  const upstream = await own('upstream')
  const url = `http://127.0.0.1:${upstream.port}`
  const bare = await own('bare', upstream.port)

  const command = fileURLToPath(dist('cli/main.js'))
  async function ours(mode) {
    const ready = join(folder, `ready-${mode}`)
    const child = spawn(
      process.execPath,
      [command, 'proxy', '--upstream', url, '--mode', mode, '--ready-file', ready, '--quiet'],
      { stdio: 'ignore' },
    )
    return {
      child,
      port: Number(new URL(await until(async () => readFileSync(ready, 'utf8').trim() || undefined)).port),
    }
  }
  const streaming = await ours('report')
  const holding = await ours('fail')

  const description = fileURLToPath(dist('spec/openapi.json'))
  const prismPort = 4000 + Math.floor(Math.random() * 1000)
  const prism = spawn(
    process.execPath,
    [
      join(peersFolder, 'node_modules/@stoplight/prism-cli/dist/index.js'),
      'proxy',
      description,
      url,
      '-p',
      String(prismPort),
      '-h',
      '127.0.0.1',
      '-v',
      'silent',
      '--errors',
    ],
    { stdio: 'ignore' },
  )
  await until(async () => (await fetch(`http://127.0.0.1:${prismPort}${path}`)).status)

  const autocannon = requirePeer('autocannon')
  const cases = {
    'no proxy': upstream.port,
    'bare node:http proxy': bare.port,
    'ours, streaming': streaming.port,
    'ours, holding back': holding.port,
    Prism: prismPort,
  }
  const all = Object.fromEntries(Object.keys(cases).map((name) => [name, []]))
  for (let round = -1; round < 5; round++) {
    for (const [name, port] of Object.entries(cases)) {
      const run = await autocannon({
        url: `http://127.0.0.1:${port}${path}`,
        connections: 10,
        duration: round < 0 ? 1 : 2,
      })
      if (run.non2xx > 0 || run.errors > 0)
        throw new Error(`${name}: ${run.non2xx} responses that are not 2xx, ${run.errors} errors`)
      if (round >= 0) all[name].push(run['2xx'] / run.duration)
    }
  }
  const base = median(all['bare node:http proxy'])
  console.log('list of 30 records: requests in a second, 10 connections, median of 5 (least to most)\n')
  for (const [name, rates] of Object.entries(all))
    console.log(
      `${name.padEnd(22)} ${Math.round(median(rates))} (${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))})   ${(median(rates) / base).toFixed(2)} x bare   ${(median(rates) / median(all.Prism)).toFixed(1)} x Prism`,
    )
  for (const { child } of [upstream, bare, streaming, holding]) child.kill()
  prism.kill()
}
