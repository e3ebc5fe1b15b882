/**
 * The validator: takes a response of any kind, finds its operation, and reports what it violates.
 *
 * @module
 */

import type { KnownRequest, PlainExchange, ResponseFacts } from '../exchange/plain-exchange.ts'
import { operationPaths } from '../spec/generated/operations.ts'
import { didYouMean } from '../spec/nearest.ts'
import { prefixOf } from '../spec/prefix.ts'
import { rejectUnknown } from '../spec/reject-unknown.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import type { Rules } from './beyond/judging.ts'
import { indexTables } from './beyond/table-index.ts'
import { unlistedTable } from './beyond/unlisted-table.ts'
import { checkValidatorOptions } from './check-validator-options.ts'
import { requirementsInSchema } from './coverage/create-coverage.ts'
import { wholeExchange } from './coverage/whole-exchange.ts'
import { findOperation, splitUrl } from './find-operation.ts'
import { findingOf } from './finding.ts'
import { judgeExchange } from './judge-exchange.ts'
import { defaultLimit } from './reading/kept-body.ts'
import { type ExchangeReading, merged, readingOf, withoutHoles } from './reading/reading.ts'
import { isError, isExchange, isPlainData, isPlainResponse, recognize } from './reading/recognize.ts'
import { expectPart, wrongPart } from './reading/wrong-part.ts'
import { requestMeaning } from './request-meaning.ts'
import { unseenBody } from './unseen-body.ts'
import type { ValidationFinding, ValidationResult, ValidatorOptions } from './vocabulary.ts'

/** Validates responses. */
export interface ResponseValidator {
  /**
   * Validates one response. Returns the result synchronously for a plain exchange, and a promise if the body must be read
   * first.
   *
   * @param input `{ request, response }`, or a response of fetch, undici, axios, got, supertest, Playwright or
   *   `node:http`. Its body is left for you to read.
   * @throws TypeError if the input is not one of these, its body was already read, or its request is unknown
   */
  validate(input: PlainExchange): ValidationResult
  /**
   * The same for a plain response, with its request.
   *
   * @param known the request, if the response itself does not contain it
   */
  validate(input: ResponseFacts, known: KnownRequest): ValidationResult
  /**
   * The same for a response of a client.
   *
   * @param known what the response does not show of its request
   * @throws TypeError also for an unknown key or operation in `known`
   */
  validate(input: unknown, known?: KnownRequest): ValidationResult | Promise<ValidationResult>
  /**
   * Which operation of the interface a request is; undefined for none. Integrations call it before they read a body, so
   * that everything else passes untouched.
   */
  operationOf(request: {
    /** HTTP method; undefined if it is not known. */
    method: string | undefined
    /** Absolute, or from the host on. */
    url: string
  }): OperationId | undefined
  /** Options that it was created with. */
  readonly options: Readonly<ValidatorOptions>
}

const nothingKnown: KnownRequest = Object.freeze({})
const knownKeys: readonly (keyof KnownRequest)[] = ['method', 'url', 'headers', 'body', 'operation']
const conforming: readonly ValidationFinding[] = Object.freeze([])

/** Its body was consumed when it was sent. */
function factsOf({ method, url, headers }: Request): KnownRequest {
  return { method, url, headers: Object.fromEntries(headers) }
}

/** An unknown operation would match no request, and nothing would be validated. @throws TypeError */
function expectOperation(operation: string): void {
  if (operationPaths.some(({ id }) => id === operation)) return
  const ids = operationPaths.map(({ id }) => id)
  throw new TypeError(`There is no operation ${JSON.stringify(operation)}.${didYouMean(operation, ids)}`)
}

/**
 * Creates a validator.
 *
 * @throws TypeError for an unknown option, or a value that an option does not have
 *
 * @example
 * ```ts
 * import { createValidator } from 'record-auth-conformance/validate'
 *
 * const validator = createValidator()
 * const response = await fetch('http://127.0.0.1:8090/api/v1/collections/posts/records')
 * const { ok, findings } = await validator.validate(response)
 * ```
 */
export function createValidator(options: ValidatorOptions = {}): ResponseValidator {
  checkValidatorOptions(options)
  const { strict = false, limit = defaultLimit, coverage } = options
  const rules: Rules = {
    prefix: prefixOf(options.prefix),
    names: {},
    tables: options.tables && indexTables(options.tables),
    claimed: options.profile === 'standard',
    strict,
    checks: options.checks ?? 'all',
  }

  const find = (method: string | undefined, url: string, more: Parameters<typeof findOperation>[3] = {}) =>
    findOperation(method, splitUrl(url)[0], rules.prefix, more)

  function judge(reading: ExchangeReading): ValidationResult {
    const { request, status } = reading
    if (reading.operation !== undefined) expectOperation(reading.operation)
    const [path, queryText] = splitUrl(request.url)
    const found = findOperation(request.method, path, rules.prefix, reading)
    if (found === undefined) {
      coverage?.record(undefined)
      return { ok: true, operation: undefined, findings: conforming }
    }
    const operation = found.operation.id
    const unseen = unseenBody(reading)
    const isHead = request.method === 'HEAD'
    // There is no body that a recording could have left out.
    if (isHead) reading.unjudged = undefined
    else reading.unjudged = unseen?.why ?? reading.unjudged
    const { unjudged } = reading
    const hasBody = unjudged === undefined && !isHead
    const judged = coverage && new Set<string>(hasBody ? requirementsInSchema(operation, status) : [])
    const asked = requestMeaning(found, queryText, request.body, rules.names)
    const mismatches =
      unseen?.isOfHttp === true
        ? []
        : judgeExchange(reading, asked, rules, judged && ((id) => judged.add(id)))
    const findings =
      mismatches.length === 0 ? conforming : mismatches.map((each) => findingOf(each, rules.claimed))
    coverage?.record(
      wholeExchange(reading, found),
      judged,
      mismatches.map(({ requirement }) => requirement),
    )
    const counts = findings.some((each) => each.status === 'fail' || (strict && each.status === 'warn'))
    const ok = !counts && !(strict && unjudged !== undefined)
    const assumed = request.method === undefined && reading.operation === undefined
    const note = unlistedTable(rules.tables, found, reading)
    return {
      ok,
      operation,
      findings,
      ...(unjudged !== undefined && { unjudged }),
      ...(note !== undefined && { note }),
      ...(assumed && { assumedMethod: found.operation.method }),
    }
  }

  function complete({ request, response, unjudged }: PlainExchange, known: KnownRequest): ValidationResult {
    const whole = merged(request, known)
    const reading = readingOf(whole, response, limit, whole.operation)
    if (unjudged !== undefined) reading.unjudged = unjudged
    return judge(reading)
  }

  function validate(
    input: unknown,
    known: KnownRequest = nothingKnown,
  ): ValidationResult | Promise<ValidationResult> {
    if (known === nothingKnown) return validated(input, known)
    // A Request has no keys of its own.
    if (known instanceof Request) return validated(input, factsOf(known))
    // A typo would have no effect: the method would be assumed.
    rejectUnknown(known, knownKeys, 'fact of the request')
    return validated(input, known)
  }

  function validated(input: unknown, known: KnownRequest): ValidationResult | Promise<ValidationResult> {
    if (isExchange(input) && !isError(input)) {
      const { request, response, unjudged } = input
      // A recording may have null for what is unknown.
      const operation = input.operation ?? undefined
      if (isPlainData(response)) expectPart(wrongPart(input))
      // Most inputs are plain objects on both sides, and need no recognition.
      if (known === nothingKnown && isPlainResponse(response)) {
        const reading = readingOf(request, response, limit, operation)
        if (unjudged !== undefined) reading.unjudged = unjudged
        return judge(reading)
      }
      return validated(response, { ...request, operation, ...withoutHoles(known) })
    }
    const recognized = recognize(input, limit, (reported, status) => {
      const { method, url, operation } = { ...reported, ...withoutHoles(known) }
      return find(method, url, { operation, status }) !== undefined
    })
    return recognized instanceof Promise
      ? recognized.then((each) => complete(each, known))
      : complete(recognized, known)
  }

  return {
    validate: validate as ResponseValidator['validate'],
    operationOf: ({ method, url }) => find(method, url)?.operation.id,
    options,
  }
}
