/**
 * `conformance proxy --upstream URL`: forwards between a client and a server, and validates the responses.
 *
 * @module
 */

import { visible } from '../exchange/visible.ts'
import { ConfigurationError, unwritable } from '../harness/errors.ts'
import { differingLines, startTrafficReport, trafficLine } from '../harness/report/traffic-report.ts'
import { packageFacts } from '../harness/support/package-facts.ts'
import { expectWritable } from '../harness/support/write-whole.ts'
import { checkedUrl } from '../harness/target/checked-url.ts'
import { documentPrefix } from '../spec/prefix.ts'
import { createValidator } from '../validate/create-validator.ts'
import { describeFindings } from '../validate/finding.ts'
import { createHarWriter, type HarWriter } from '../validate/proxy/har-writer.ts'
import { startProxy } from '../validate/proxy/proxy.ts'
import { printLines } from './print-lines.ts'
import { readyFileAt } from './ready-file.ts'
import { stopSignal, untilStopped } from './stop-signal.ts'
import type { ProxyFlags } from './validate-options.ts'
import { settleCoverage, startCoverage, validatorOptions } from './validator-options.ts'
import { expectReportPlaces, isReportOnStdout, publish } from './write-reports.ts'

/**
 * @returns the exit code, after the proxy was stopped: 1 after findings that count, 3 if nothing was validated, 141 if
 *   it stopped because its output has no reader
 */
export async function proxyCommand(flags: ProxyFlags): Promise<number> {
  const stop = stopSignal()
  const started = new Date()
  expectReportPlaces(flags.report)
  const coverage = startCoverage(flags)
  const upstream = upstreamOf(flags.upstream, flags.prefix)
  const options = await validatorOptions(flags)
  const validator = createValidator({ ...options, coverage })
  const log = startTrafficReport({ source: upstream.href, options, started })
  const ready = flags.readyFile === undefined ? undefined : await readyFileAt(flags.readyFile)
  if (flags.har !== undefined) expectPlace(flags.har)
  const broken = new Map<string, number>()
  let troubles = 0
  const out = isReportOnStdout(flags.report) ? process.stderr : process.stdout
  const print = (text: string) => printLines(out, visible(text).split('\n'))
  let har: HarWriter | undefined
  const proxy = await startProxy(
    {
      upstream,
      validator,
      mode: flags.mode ?? 'report',
      get har() {
        return har
      },
      onResult(result, { method, url, status }) {
        const { ok, operation, findings } = result
        // The query may contain a secret.
        const what = `${method} ${url.split('?', 1)[0]} ${status}`
        log.add(what, result)
        if (operation === undefined || ok) return
        const counting = findings.filter((finding) => finding.status !== 'observed')
        for (const { requirement } of counting) broken.set(requirement, (broken.get(requirement) ?? 0) + 1)
        if (flags.quiet !== true) print(`${what}\n${describeFindings(counting)}`)
      },
      onTrouble(what) {
        troubles += 1
        process.stderr.write(`${visible(what)}\n`)
      },
    },
    flags.port,
  ).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      `the proxy cannot listen (${error.code ?? error.message})`,
      `--port ${flags.port ?? 0}`,
      'use another port, or omit --port to use a free one',
    )
  })
  const { name, version } = packageFacts()
  let stopped: number
  try {
    ready?.write(`${proxy.url}\n`)
    // Truncates an existing file: only after everything else has succeeded, and in the same turn, so that no request
    // comes first.
    if (flags.har !== undefined) har = openHar(flags.har, { name, version })
    print(`${name} ${version}  proxy at ${proxy.url} for ${flags.upstream}`)
    stopped = await untilStopped(stop)
  } finally {
    ready?.remove()
    await proxy.close()
    har?.close()
  }

  if (broken.size > 0) print('findings by requirement')
  for (const [id, times] of [...broken].sort((a, b) => b[1] - a[1])) print(`  ${id}  ${times}`)
  const seen = coverage.report()
  const missed = settleCoverage(coverage, flags, print)
  const nothing = log.count.matched === 0 ? 'no request matched an operation' : undefined
  const report = log.report({ coverage: seen, missed, nothing })
  print(`${trafficLine(log.count)}${troubles > 0 ? `; ${troubles} could not be processed, see above` : ''}`)
  for (const line of differingLines(log.count)) print(line)
  await publish(report, flags, print)
  return report.verdict.exitCode === 0 ? stopped : report.verdict.exitCode
}

function upstreamOf(text: string | undefined, prefix: string = documentPrefix): URL {
  const url = parse(text)
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    // The ready message contains the address, and the proxy never signs in.
    throw new ConfigurationError(
      'the upstream contains credentials',
      '--upstream',
      'remove them: the proxy forwards the credentials that the client sends',
    )
  }
  const path = url?.pathname.replace(/\/+$/, '') ?? ''
  if (url !== undefined && prefix !== '' && path.endsWith(prefix)) {
    // Both would be in the path of every request, and each response a 404, which conforms.
    throw new ConfigurationError(
      `the upstream ends with ${prefix}, but every request path already begins with it`,
      `--upstream ${text}`,
      `remove it: --upstream ${url.origin}${path.slice(0, -prefix.length)}`,
    )
  }
  if (text !== undefined) return new URL(checkedUrl(text, '--upstream', 'upstream'))
  throw new ConfigurationError(
    'the upstream server is missing',
    '--upstream',
    'use a URL such as --upstream http://127.0.0.1:8090',
  )
}

function parse(text: string | undefined): URL | undefined {
  try {
    return new URL(text ?? '')
  } catch {
    return undefined
  }
}

function expectPlace(file: string): void {
  try {
    expectWritable(file)
  } catch (error) {
    throw noRecording(file, error)
  }
}

function openHar(file: string, creator: { name: string; version: string }): HarWriter {
  try {
    return createHarWriter(file, creator)
  } catch (error) {
    throw noRecording(file, error)
  }
}

function noRecording(file: string, error: unknown): ConfigurationError {
  return unwritable('the recording', `--har ${file}`, error)
}
