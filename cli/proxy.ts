/**
 * `conformance proxy --upstream URL`: stands between a client and a server and holds the answers against the interface.
 *
 * @module
 */

import { rmSync } from 'node:fs'
import { ConfigurationError, unwritable } from '../harness/errors.ts'
import { packageFacts } from '../harness/package-facts.ts'
import { writeWhole } from '../harness/write-whole.ts'
import { createValidator } from '../validate/create-validator.ts'
import { createHarWriter } from '../validate/proxy/har-writer.ts'
import { startProxy } from '../validate/proxy/proxy.ts'
import { stopSignal, untilStopped } from './stop-signal.ts'
import type { ProxyFlags } from './validate-options.ts'
import { settleCoverage, startCoverage, validatorOptions } from './validator-options.ts'

/**
 * @returns the exit code, once the proxy has been stopped: 1 after findings that count, 3 when nothing was judged, 141
 *   when it was stopped because nobody reads what it says
 */
export async function proxyCommand(flags: ProxyFlags): Promise<number> {
  const stop = stopSignal()
  const coverage = startCoverage(flags)
  const broken = new Map<string, number>()
  const tally = { exchanges: 0, judged: 0, broken: 0, troubles: 0 }
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const har = flags.har === undefined ? undefined : openHar(flags.har)
  const proxy = await startProxy(
    {
      upstream: upstreamOf(flags.upstream),
      validator: createValidator({ ...validatorOptions(flags), coverage }),
      mode: flags.mode ?? 'report',
      har,
      onResult({ ok, operation, findings }, { method, url, status }) {
        tally.exchanges += 1
        if (operation === undefined) return
        tally.judged += 1
        if (ok) return
        tally.broken += 1
        for (const { requirement } of findings) broken.set(requirement, (broken.get(requirement) ?? 0) + 1)
        const counting = findings.filter((finding) => finding.status !== 'observed')
        // The query may hold a secret.
        if (flags.quiet !== true) print(`${method} ${url.split('?', 1)[0]} ${status}\n${counting.join('\n')}`)
      },
      onTrouble(what) {
        tally.troubles += 1
        process.stderr.write(`${what}\n`)
      },
    },
    flags.port,
  ).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      `the proxy cannot listen (${error.code ?? error.message})`,
      `--port ${flags.port ?? 0}`,
      'name another port, or leave --port out for a free one',
    )
  })
  const { name, version } = packageFacts()
  print(`${name} ${version}  proxy at ${proxy.url} for ${flags.upstream}`)
  try {
    if (flags.readyFile !== undefined) writeReady(flags.readyFile, proxy.url)
  } catch (error) {
    await proxy.close()
    throw error
  }
  const stopped = await untilStopped(stop)
  if (flags.readyFile !== undefined) rmSync(flags.readyFile, { force: true })
  await proxy.close()
  har?.close()

  for (const [id, times] of [...broken].sort((a, b) => b[1] - a[1])) print(`  ${id}  ${times}`)
  const enough = settleCoverage(coverage, flags, print)
  print(
    `${tally.judged} of ${tally.exchanges} exchanges are the interface's: ${tally.judged - tally.broken} conform, ` +
      `${tally.broken} do not${tally.troubles > 0 ? `; ${tally.troubles} in trouble, told above` : ''}`,
  )
  if (tally.judged === 0) return 3
  return tally.broken > 0 || !enough ? 1 : stopped
}

function upstreamOf(text: string | undefined): URL {
  const url = parse(text)
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new ConfigurationError(
    text === undefined ? 'the server to pass requests on to is missing' : 'the upstream is no HTTP URL',
    `--upstream ${text ?? ''}`,
    'name it: --upstream http://127.0.0.1:8090',
  )
}

function parse(text: string | undefined): URL | undefined {
  try {
    return new URL(text ?? '')
  } catch {
    return undefined
  }
}

function writeReady(file: string, url: string): void {
  try {
    writeWhole(file, `${url}\n`)
  } catch (error) {
    throw unwritable('the ready file', `--ready-file ${file}`, error)
  }
}

function openHar(file: string) {
  try {
    return createHarWriter(file, packageFacts())
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ConfigurationError(
      `the recording cannot be written (${code})`,
      `--har ${file}`,
      'name a file in a folder that exists',
    )
  }
}
