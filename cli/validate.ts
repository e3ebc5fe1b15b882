/**
 * `conformance validate FILE…`: validates recorded traffic.
 *
 * @module
 */

import { createReadStream, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PlainExchange } from '../exchange/plain-exchange.ts'
import { visible, visibleJson } from '../exchange/visible.ts'
import { ConfigurationError, messageOf } from '../harness/errors.ts'
import { differingLines, startTrafficReport, trafficLine } from '../harness/report/traffic-report.ts'
import type { TrafficCount } from '../harness/vocabulary/report.ts'
import { countOf } from '../spec/count-of.ts'
import { documentPrefix } from '../spec/prefix.ts'
import { createValidator } from '../validate/create-validator.ts'
import { describeFindings } from '../validate/finding.ts'
import { defaultLimit } from '../validate/reading/kept-body.ts'
import type { ReadAttachment } from '../validate/traffic/attachments.ts'
import { type Recorded, readTraffic } from '../validate/traffic/read-traffic.ts'
import type { ValidationResult } from '../validate/vocabulary.ts'
import { collectUnread, type UnreadCollection } from './collect-unread.ts'
import { printLines } from './print-lines.ts'
import { type TrafficHosts, trafficHosts } from './traffic-hosts.ts'
import { methods, type UnmatchedRequests, unmatchedRequests } from './unmatched-requests.ts'
import type { ValidateFlags } from './validate-options.ts'
import { settleCoverage, startCoverage, validatorOptions } from './validator-options.ts'
import { writeAndWait } from './write-and-wait.ts'
import { expectReportPlaces, isReportOnStdout, publish } from './write-reports.ts'

/** Lines about files and entries that cannot be read. */
const mostTroubles = 5
/** Notes about tables that are not among the given ones. */
const mostNotes = 5

/**
 * @returns the exit code: 3 if no exchange of the interface could be validated, so that an empty capture is not a
 *   success
 * @throws ConfigurationError for a file or an entry that cannot be read, whatever was found in others: these are validated
 *   and reported first
 */
export async function validateCommand(files: readonly string[], flags: ValidateFlags): Promise<number> {
  const started = new Date()
  expectReportPlaces(flags.report)
  const pure = isReportOnStdout(flags.report)
  if (pure && flags.json === true) throw twoOnStdout()
  const coverage = startCoverage(flags)
  const options = await validatorOptions(flags)
  const validator = createValidator({ ...options, coverage })
  const log = startTrafficReport({ source: files.join(', '), options, started })
  const unmatched = unmatchedRequests(options.prefix)
  const hosts = trafficHosts(flags.host)
  const notes = new Set<string>()
  const tally = { shown: 0, findings: 0, aborted: 0 }
  const unread = collectUnread()
  const print = (text: string) =>
    printLines(flags.json === true || pure ? process.stderr : process.stdout, visible(text).split('\n'))

  for (const file of files) {
    const name = file === '-' ? 'stdin' : file
    try {
      for await (const { number, exchange, trouble, aborted } of recorded(file, name, flags)) {
        if (trouble !== undefined) unread.add({ place: name, what: trouble })
        else if (!hosts.wants(exchange?.request ?? { url: aborted ?? '' })) continue
        else if (exchange === undefined) tally.aborted += 1
        else await judge(name, number, exchange)
      }
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      unread.add({ place: name, what: error.fact, error })
    }
  }

  async function judge(file: string, number: number, exchange: PlainExchange): Promise<void> {
    let result: ValidationResult
    try {
      result = validator.validate(exchange)
    } catch (error) {
      // Many programs make recordings, and these contain exchanges that no test would pass to a validator.
      const why = messageOf(error)
      unread.add({ place: file, what: `entry ${number} cannot be validated: ${why}` })
      return
    }
    await tell(`${file}:${number}`, exchange, result)
  }

  async function tell(place: string, exchange: PlainExchange, result: ValidationResult): Promise<void> {
    const { operation, findings, unjudged, note } = result
    const { method = 'GET', url } = exchange.request
    // The query may hold a secret.
    const what = `${method} ${url.split('?', 1)[0]} ${exchange.response.status}`
    log.add(`${place} ${what}`, result)
    if (operation === undefined) {
      unmatched.add(method.toUpperCase(), url)
      return
    }
    hosts.add(exchange.request)
    if (note !== undefined && notes.size < mostNotes) notes.add(note)
    if (flags.json === true) {
      await writeAndWait(process.stdout, `${visibleJson({ place, request: what, ...result })}\n`)
      return
    }
    const counting = findings.filter(({ status }) => status !== 'observed')
    const shown = counting.slice(0, Math.max(0, (flags.most ?? 20) - tally.shown))
    const lines = shown.length > 0 ? [describeFindings(shown)] : []
    tally.findings += counting.length
    tally.shown += shown.length
    if (unjudged !== undefined) lines.push(`  not validated: ${unjudged}`)
    if (lines.length > 0) print([`${place}  ${what}`, ...lines].join('\n'))
  }

  if (tally.findings > tally.shown)
    print(`… and ${countOf(tally.findings - tally.shown, 'more finding')} (--most shows more)`)
  const seen = coverage.report()
  const missed = settleCoverage(coverage, flags, print)
  const nothing = whyNothing(log.count, { prefix: flags.prefix, unmatched, hosts, aborted: tally.aborted })
  const report = log.report({ coverage: seen, missed, unread: unread.reported(), nothing })
  const allLeftOut = log.count.exchanges + tally.aborted + unread.count === 0
  for (const line of [...unmatched.lines(), ...notes, ...(allLeftOut ? [] : hosts.lines())]) print(line)
  if (tally.aborted > 0) print(`${countOf(tally.aborted, 'aborted request')} skipped`)
  // Why there is none is said next.
  if (log.count.exchanges > 0) print(trafficLine(log.count))
  for (const line of differingLines(log.count)) print(line)
  await publish(report, flags, print)
  reject(unread)
  if (report.verdict.exitCode === 3) print(nothing ?? '')
  return report.verdict.exitCode
}

function whyNothing(
  { exchanges, matched, unjudged }: TrafficCount,
  {
    prefix = documentPrefix,
    unmatched,
    hosts,
    aborted,
  }: { prefix: string | undefined; unmatched: UnmatchedRequests; hosts: TrafficHosts; aborted: number },
): string | undefined {
  if (exchanges === 0 && aborted > 0) return 'nothing was validated: no request got a response'
  if (exchanges === 0) return hosts.allLeftOut() ?? 'no exchanges found in the input; nothing was validated'
  const meant = unmatched.prefixMeant()
  if (matched === 0 && meant !== undefined)
    return `nothing was validated: no operation is under ${prefix}, and the traffic has ${meant.example}: add --prefix ${meant.prefix === '' ? "''" : meant.prefix}`
  const method = matched === 0 ? unmatched.unknownMethod() : undefined
  if (method !== undefined)
    return `nothing was validated: ${method} is not a method of the interface (${methods.join(', ')})`
  if (matched === 0 && unmatched.lines().length > 0)
    return `nothing was validated: no request under ${prefix === '' ? '/' : prefix} matches an operation`
  if (matched === 0) return 'nothing was validated: check --prefix'
  return matched === unjudged
    ? 'nothing was validated: every body is missing, too large or unreadable'
    : undefined
}

function twoOnStdout(): ConfigurationError {
  return new ConfigurationError(
    'stdout cannot contain both the results and a report',
    '--json --report',
    'write the report to a file',
  )
}

function reject(unread: UnreadCollection): void {
  const [first, ...more] = unread.named()
  if (first === undefined) return
  for (const { place, what } of more.slice(0, mostTroubles - 1))
    process.stderr.write(`${visible(`${place}: ${what}`)}\n`)
  if (first.error !== undefined) throw first.error
  const others = unread.count === 1 ? '' : `, and ${unread.count - 1} more like it`
  throw new ConfigurationError(
    `the traffic cannot be parsed: ${first.what}${others}`,
    first.place,
    'use a HAR file, a file with one JSON exchange per line, or the output of curl -i',
  )
}

async function* recorded(file: string, name: string, flags: ValidateFlags): AsyncGenerator<Recorded> {
  const source = file === '-' ? process.stdin : createReadStream(file)
  const reading = readTraffic(source, flags.request, file === '-' ? undefined : attachmentsOf(file))
  for (;;) {
    const next = await reading.next().catch((error: NodeJS.ErrnoException) => {
      const { code = '', message } = error
      const ofFile = /^E[A-Z]+$/.test(code)
      throw new ConfigurationError(
        `the traffic cannot be read (${ofFile ? code : message})`,
        name,
        ofFile ? 'use a file that exists, or - for stdin' : 'decompress the file first',
      )
    })
    if (next.done === true) return
    yield next.value
  }
}

/** The files next to a HAR, in which Playwright keeps bodies. Larger ones would not be validated. */
function attachmentsOf(file: string): ReadAttachment {
  return (name) => {
    const path = join(dirname(file), name)
    try {
      const entry = statSync(path)
      return entry.isFile() && entry.size <= defaultLimit ? readFileSync(path) : undefined
    } catch {
      return undefined
    }
  }
}
