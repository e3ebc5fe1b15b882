/**
 * The common part of the integrations: a validator, and what to do with a response that does not conform.
 *
 * @module
 */

import type { KnownRequest } from '../../exchange/plain-exchange.ts'
import { documentPrefix } from '../../spec/prefix.ts'
import { rejectUnknown } from '../../spec/reject-unknown.ts'
import { validatorOptionNames } from '../check-validator-options.ts'
import { createValidator, type ResponseValidator } from '../create-validator.ts'
import { describeResult, describeResultOf } from '../finding.ts'
import { defaultLimit } from '../reading/kept-body.ts'
import type { ValidationResult, ValidatorOptions } from '../vocabulary.ts'

/** Options of an integration: of its validator, and what it does with the results. */
export interface IntegrationOptions extends ValidatorOptions {
  /** An existing validator, instead of options for a new one. @default a new one */
  validator?: ResponseValidator | undefined
  /** Called with every result, whether the response conforms or not. @default none */
  onResult?:
    | ((
        result: ValidationResult,
        request: {
          /** HTTP method; undefined if it is not known. */
          method: string | undefined
          /** Address of the request; empty if it is not known. */
          url: string
        },
      ) => void)
    | undefined
  /** What to do with a response that does not conform. `report`: only `onResult` is called. @default 'throw' */
  mode?: 'throw' | 'report' | undefined
}

/** Options of assertions. They always fail the test, so there is no `mode`. */
export type AssertionOptions = Omit<IntegrationOptions, 'mode'>

/**
 * Thrown for a response that does not conform. Test runners show `actual` and `expected` like any assertion.
 */
export class ConformanceError extends Error {
  /** Always `ConformanceError`. */
  override name = 'ConformanceError'
  /** The code of assertion errors in Node, so that test runners show it as one. */
  readonly code = 'ERR_ASSERTION'
  /** What the validation found. */
  readonly result: ValidationResult
  /** The findings that count, in short: requirement and path. */
  readonly actual: string[]
  /** No findings. */
  readonly expected: string[] = []

  /** Creates the error for the result of a validation. */
  constructor(result: ValidationResult, what?: string) {
    super(what === undefined ? describeResult(result) : describeResultOf(what, result))
    this.result = result
    this.actual = whatCounts(result)
  }
}

/** What makes a response fail. Only if nothing else does, `strict` counts warnings and bodies that are not validated. */
function whatCounts({ findings, unjudged = '' }: ValidationResult): string[] {
  for (const counting of ['fail', 'warn']) {
    const those = findings.filter(({ status }) => status === counting)
    if (those.length > 0) return those.map(({ requirement, path }) => `${requirement} ${path}`)
  }
  return [`not validated: ${unjudged}`]
}

/** @throws TypeError for an unknown option, or a value that an option does not have */
export function validatorOf(options: IntegrationOptions | ResponseValidator = {}): ResponseValidator {
  return 'validate' in options ? options : integratedValidator(options, ['throw', 'report'])
}

/**
 * The validator of an integration's options.
 *
 * @param modes that the integration has
 * @throws TypeError for an unknown option, or a value that an option does not have
 */
export function integratedValidator<Mode extends string>(
  { validator, onResult: _, mode, ...own }: Omit<IntegrationOptions, 'mode'> & { mode?: Mode | undefined },
  modes: readonly Mode[],
): ResponseValidator {
  rejectUnknown(own, [...validatorOptionNames, 'mode', 'onResult', 'validator'], 'option of the validator')
  if (mode !== undefined && !modes.includes(mode))
    throw new TypeError(
      `The option "mode" is ${JSON.stringify(mode)}: expected ${modes.map((one) => `"${one}"`).join(' or ')}.`,
    )
  if (validator === undefined) return createValidator(own)
  const lost = Object.entries(own).find(([, value]) => value !== undefined)?.[0]
  if (lost !== undefined)
    throw new TypeError(
      `The option "${lost}" has no effect on an existing validator: pass it to createValidator().`,
    )
  return validator
}

/** Calls `onResult` for a response whose request only the client knows. */
export function reportResult(options: AssertionOptions | ResponseValidator, result: ValidationResult): void {
  if ('onResult' in options) options.onResult?.(result, { method: undefined, url: '' })
}

/** Calls `onResult`, and returns the error that the mode requires. Warns if the path prefix seems to be another one. */
export function settle(
  validator: ResponseValidator,
  result: ValidationResult,
  { onResult, mode = 'throw' }: Pick<IntegrationOptions, 'onResult' | 'mode'>,
  request: { method: string | undefined; url: string },
): ConformanceError | undefined {
  onResult?.(result, request)
  warnOfPrefix(validator, result, request.url)
  if (result.ok || mode === 'report') return undefined
  const { method = 'GET', url } = request
  return new ConformanceError(result, `The response to ${method} ${url} (${result.operation})`)
}

/**
 * What an assertion makes of a response: synchronously for a plain exchange, otherwise when its body is read. About a response
 * outside the interface it would always hold, for example with a wrong prefix.
 *
 * @throws TypeError if the request is unknown or matches no operation
 */
export function asserted<T>(
  validator: ResponseValidator,
  received: unknown,
  known: KnownRequest | KnownRequest['operation'],
  decide: (result: ValidationResult) => T,
): T | Promise<T> {
  const request = knownOf(known)
  const inside = (result: ValidationResult) => {
    if (result.operation === undefined) throw outside(validator, received, request)
    return decide(result)
  }
  const result = validator.validate(received, request)
  return result instanceof Promise ? result.then(inside) : inside(result)
}

function outside({ options }: ResponseValidator, received: unknown, known: KnownRequest): TypeError {
  const of = known.url ?? (received as { url?: unknown } | null)?.url
  const request =
    typeof of === 'string' && of !== '' ? `The request to ${of}` : 'The request of this response'
  return new TypeError(
    `${request} is not an operation of the interface under ${options.prefix ?? documentPrefix}: nothing was validated. If the server has another path prefix, pass it as the option "prefix".`,
  )
}

/**
 * A client that knows no other prefix: its requests to tables are all meant, also those that are under another prefix.
 *
 * @throws TypeError if a request to a table is under another prefix, so that nothing was validated
 */
export function expectPrefix(validator: ResponseValidator, result: ValidationResult, url: string): void {
  const complaint = otherPrefix(validator, result, url)
  if (complaint !== undefined) throw new TypeError(complaint)
}

/** Those whose prefix was warned of: once is enough. */
const warned = new WeakSet<ResponseValidator>()

/** Other clients and servers may have further paths that look like tables, so that this does not fail. */
function warnOfPrefix(validator: ResponseValidator, result: ValidationResult, url: string): void {
  if (warned.has(validator)) return
  const complaint = otherPrefix(validator, result, url)
  if (complaint === undefined) return
  warned.add(validator)
  globalThis.process?.emitWarning?.(complaint, 'ConformanceWarning')
}

/** What is wrong if a request to a table is under another prefix. */
function otherPrefix(
  { options: { prefix = documentPrefix } }: ResponseValidator,
  { operation }: ValidationResult,
  url: string,
): string | undefined {
  const [path = ''] = url.split(/[?#]/)
  if (operation !== undefined || !path.includes('/collections/') || path.includes(`${prefix}/collections/`))
    return undefined
  return `The request to ${path} is under another prefix than ${prefix}: nothing was validated. Pass the prefix of the server as the option "prefix".`
}

/** Maximum size of a body that is kept for validation, in bytes. */
export function limitOf({ options }: ResponseValidator): number {
  return options.limit ?? defaultLimit
}

/** The operation's name, or what is known about the request. */
function knownOf(known: KnownRequest | KnownRequest['operation']): KnownRequest {
  return typeof known === 'string' ? { operation: known } : (known ?? {})
}
