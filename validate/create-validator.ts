/**
 * The validator: takes a response of any kind, finds its operation, and tells what it breaks.
 *
 * @module
 */

import type { KnownRequest, PlainExchange, ResponseFacts } from '../exchange/plain-exchange.ts'
import { mayName, type Query, queryOf } from '../exchange/query-of.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import { subRequests } from './beyond/batch-results.ts'
import { judgeBeyond } from './beyond/judge-beyond.ts'
import type { Judging } from './beyond/judging.ts'
import { indexTables } from './beyond/table-index.ts'
import { describedRange, describedResponse, operationEntry } from './compiled.ts'
import { requirementsInSchema } from './coverage.ts'
import { type FoundOperation, findOperation, splitUrl } from './find-operation.ts'
import { findingOf } from './finding.ts'
import { judgeResponse } from './judge-response.ts'
import { judgeStatus, judgeWire } from './judge-wire.ts'
import { type Mismatch, shown } from './mismatch.ts'
import { defaultLimit } from './reading/kept-body.ts'
import { merged, type Reading, readingOf, withoutHoles } from './reading/reading.ts'
import { isExchange, isPlainResponse, type Recognised, recognise } from './reading/recognise.ts'
import type { ValidationFinding, ValidationResult, ValidatorOptions } from './vocabulary.ts'

export interface ResponseValidator {
  /**
   * Judges one response. At once for a plain exchange; for everything whose body has to be read first, a promise.
   *
   * @param input `{ request, response }`, or a response of fetch, undici, axios, got, supertest, Playwright or
   *   `node:http`. Its body is left for you to read.
   * @param known what the response does not tell of its request
   * @throws TypeError when it is nothing of that, when its body has been read, or when its request is not known
   */
  validate(input: PlainExchange): ValidationResult
  validate(input: ResponseFacts, known: KnownRequest): ValidationResult
  validate(input: unknown, known?: KnownRequest): ValidationResult | Promise<ValidationResult>
  /**
   * Which operation of the interface a request is; undefined for none. Integrations ask before they read a body, so
   * that everything else passes untouched.
   */
  operationOf(request: { method: string | undefined; url: string }): OperationId | undefined
  readonly options: Readonly<ValidatorOptions>
}

const mostFindings = 50
const nothingKnown: KnownRequest = Object.freeze({})
const conforming: readonly ValidationFinding[] = Object.freeze([])

/**
 * @example
 * const validator = createValidator()
 * const { ok, findings } = await validator.validate(await fetch(url))
 */
export function createValidator(options: ValidatorOptions = {}): ResponseValidator {
  const { strict = false, limit = defaultLimit, coverage } = options
  const prefix = `/${(options.prefix ?? '/api/v1').replace(/^\/+|\/+$/g, '')}`
  const tables = options.tables && indexTables(options.tables)
  const claimed = (options.profile ?? 'standard') === 'standard'
  const beyond = options.checks !== 'schema'

  const find = (method: string | undefined, url: string, more: Parameters<typeof findOperation>[3] = {}) =>
    findOperation(method, splitUrl(url)[0], prefix, more)

  function judge(reading: Reading): ValidationResult {
    const [path, queryText] = splitUrl(reading.url)
    const found = findOperation(reading.method, path, prefix, reading)
    if (found === undefined) {
      coverage?.record(undefined, reading.status, [], [])
      return { ok: true, operation: undefined, findings: conforming }
    }
    const query = queryOf(queryText)
    const mismatches = new Collected()
    const judged = coverage && new Set<string>(requirementsInSchema(found.operation.id, reading.status))
    const picked = isPicked(found, query, queryText, reading)
    if (reading.unjudged === undefined) judgeAll(reading, found, picked, mismatches)
    else judgeStatusAlone(reading, found, mismatches)
    if (beyond && reading.unjudged === undefined) {
      const judging: Judging = {
        reading,
        found,
        query,
        prefix,
        tables,
        strict,
        picked,
        add: (requirement, place, expected, received) =>
          mismatches.add(requirement, place, expected, received),
        claim: judged === undefined ? ignore : (requirement) => judged.add(requirement),
      }
      judgeBeyond(judging)
    }
    const findings =
      mismatches.all.length === 0 ? conforming : mismatches.all.map((each) => findingOf(each, claimed))
    coverage?.record(found.operation.id, reading.status, judged ?? [], mismatches.ids())
    const counts = findings.some(({ status }) => status === 'fail' || (strict && status === 'warn'))
    const result: ValidationResult = {
      ok: !counts && !(strict && reading.unjudged !== undefined),
      operation: found.operation.id,
      findings,
    }
    if (reading.unjudged !== undefined) result.unjudged = reading.unjudged
    return result
  }

  function judgeAll(reading: Reading, found: FoundOperation, picked: boolean, mismatches: Collected): void {
    const { status, contentType, text, body, utf8 } = reading
    if (beyond) {
      const add = (requirement: string, _message: string, expected: string, received: string) =>
        mismatches.add(requirement, '', expected, received)
      const wrong = status >= 500 || body === undefined || !utf8
      const sample = wrong ? (text?.slice(0, 200) ?? shown(body)) : ''
      judgeStatus(status, sample, add)
      const facts = { operation: found.operation.id, status, contentType, text, body, utf8, shown: sample }
      if (reading.method !== 'HEAD') judgeWire(facts, add)
    }
    if (reading.method === 'HEAD') return
    const entry = operationEntry(found.operation.id)
    const described = describedResponse(entry, status, picked)
    for (const each of judgeResponse(
      { operation: entry.id, status, contentType, text, body },
      described,
      () => describedRange(entry, status, picked),
      Object.keys(entry.responses),
    ))
      mismatches.take(each)
  }

  /** Of a body that nobody looks into. */
  function judgeStatusAlone({ status }: Reading, { operation }: FoundOperation, mismatches: Collected): void {
    const add = (requirement: string, _message: string, expected: string, received: string) =>
      mismatches.add(requirement, '', expected, received)
    if (beyond) judgeStatus(status, '', add)
    const entry = operationEntry(operation.id)
    if (describedResponse(entry, status, false) !== undefined) return
    const facts = { operation: entry.id, status, contentType: '', text: undefined, body: undefined }
    const nothing = () => undefined
    for (const each of judgeResponse(facts, undefined, nothing, Object.keys(entry.responses)))
      mismatches.take(each)
  }

  function complete({ request, response, unjudged }: Recognised, known: KnownRequest): ValidationResult {
    const whole = merged(request, known)
    const reading = readingOf(whole, response, limit, whole.operation)
    if (unjudged !== undefined) reading.unjudged = unjudged
    return judge(reading)
  }

  function validate(
    input: unknown,
    known: KnownRequest = nothingKnown,
  ): ValidationResult | Promise<ValidationResult> {
    if (isExchange(input)) {
      const { request, response, operation, unjudged } = input
      // Most are plain on both sides; there is nothing to find out about them.
      if (known === nothingKnown && isPlainResponse(response)) {
        const reading = readingOf(request, response, limit, operation)
        if (unjudged !== undefined) reading.unjudged = unjudged
        return judge(reading)
      }
      return validate(response, { ...request, operation, ...known })
    }
    const recognised = recognise(input, limit, (told, status) => {
      const { method, url, operation } = { ...told, ...withoutHoles(known) }
      // Without an address there is an error to come that says so.
      return url === undefined || find(method, url, { operation, status }) !== undefined
    })
    return recognised instanceof Promise
      ? recognised.then((each) => complete(each, known))
      : complete(recognised, known)
  }

  return {
    validate: validate as ResponseValidator['validate'],
    operationOf: ({ method, url }) => find(method, url)?.operation.id,
    options,
  }
}

/** Mismatches of one exchange: the same claim at the same place counts once, and there is an end to it. */
class Collected {
  readonly all: Mismatch[] = []

  add(requirement: string, path: string, expected: string, received: string): void {
    this.take({ requirement, path, message: '', expected, received })
  }

  take(mismatch: Mismatch): void {
    if (this.all.length >= mostFindings) return
    const { requirement, path } = mismatch
    if (!this.all.some((each) => each.requirement === requirement && each.path === path))
      this.all.push(mismatch)
  }

  ids(): string[] {
    return this.all.map(({ requirement }) => requirement)
  }
}

/** Whether keys may be missing: `fields` in the query, or in the URL of a sub-request, or in one that is not known. */
function isPicked({ operation }: FoundOperation, query: Query, text: string, reading: Reading): boolean {
  if (mayName(query, text, 'fields')) return true
  if (operation.id !== 'batch') return false
  return subRequests(reading.requestBody)?.some(({ url }) => /[?&]fields=/.test(url)) ?? true
}

function ignore(): void {}
