/**
 * Validates one exchange: status, wire, schema, and what no schema can express. The suite validates its own traffic
 * with it, and so do the library, the proxy, the integrations and the log of `serve`.
 *
 * @module
 */

import { saysRejected } from '../exchange/says-rejected.ts'
import { leftOpenAt, neverShown } from '../spec/requirement-at.ts'
import { shownResponses } from '../spec/shown-responses.ts'
import { isSuccess } from '../spec/status-range.ts'
import type { OperationId } from '../spec/vocabulary.ts'
import { judgeBeyond } from './beyond/judge-beyond.ts'
import type { ClaimRequirement, Rules } from './beyond/judging.ts'
import { judgeResponse } from './judge-response.ts'
import { judgeStatus, judgeWire } from './judge-wire.ts'
import { inAnyItem, type Mismatch, shown } from './mismatch.ts'
import { describedRange, describedResponse, knownRequirement, operationEntry } from './operation-entries.ts'
import type { ExchangeReading } from './reading/reading.ts'
import type { RequestMeaning } from './request-meaning.ts'

const mostFindings = 50

/**
 * @param claim called for each requirement that is checked beyond the schema, violated or not
 * @returns at most fifty mismatches; a requirement that is violated at the same place of several items counts once
 */
export function judgeExchange(
  reading: ExchangeReading,
  asked: RequestMeaning,
  rules: Rules,
  claim: ClaimRequirement = ignore,
): readonly Mismatch[] {
  const found = new Map<string, Mismatch>()
  const take = (mismatch: Mismatch) => {
    const { requirement, path, others = 0 } = mismatch
    const kind = `${requirement} ${inAnyItem(path)}`
    const known = found.get(kind)
    if (known === undefined) {
      if (found.size < mostFindings) found.set(kind, mismatch)
    } else if (known.path !== path) known.others = (known.others ?? 0) + 1 + others
  }
  const operation = asked.found?.operation.id
  const isWhole = reading.unjudged === undefined
  const hasBody = reading.request.method !== 'HEAD' && reading.request.method !== 'OPTIONS'
  if (rules.checks === 'all') {
    const sample = sampleOf(reading)
    judgeStatus(reading.status, sample, take)
    if (isWhole && hasBody) judgeWire(reading, operation, sample, take)
  }
  if (operation !== undefined && hasBody) judgeDescribed(reading, operation, asked.picked, take)
  if (rules.checks === 'all' && isWhole && hasBody)
    judgeBeyond({
      ...asked,
      ...rules,
      reading,
      claim,
      add(requirement, path, expected, received, message) {
        const what = `${operation ?? reading.request.method} ${reading.status}: ${path === '' ? 'the body' : path}`
        take({
          requirement: requirementFor(requirement, path, operation, reading.status),
          path,
          message: message ?? `${what} is not as expected`,
          expected,
          received,
        })
      },
    })
  return [...found.values()]
}

/** If the body was not read, only the status. */
function judgeDescribed(
  reading: ExchangeReading,
  operation: OperationId,
  picked: boolean,
  take: (mismatch: Mismatch) => void,
): void {
  const entry = operationEntry(operation)
  const { status, unjudged } = reading
  const described = describedResponse(entry, status, picked)
  if (unjudged !== undefined && described !== undefined) return
  const range = () => (unjudged === undefined ? describedRange(entry, status, picked) : undefined)
  // It is then an error response, which the document does not show.
  const isError = isSuccess(status) && saysRejected(operation, reading.request.body, reading.body)
  for (const each of judgeResponse(reading, operation, described, range, Object.keys(entry.responses)))
    take(isError && !isAnywhere(each.requirement) ? { ...each, requirement: 'wire.schema' } : each)
}

/** Whether a requirement is about more than the responses that the document shows. */
function isAnywhere(requirement: string): boolean {
  return neverShown.includes(requirement) || knownRequirement(requirement)?.basis === 'profile'
}

/**
 * Where the document leaves a part of a response open, a server may return something else there: it violates at most
 * what the profile says about that part.
 */
function requirementFor(
  requirement: string,
  path: string,
  operation: OperationId | undefined,
  status: number,
): string {
  if (operation === undefined || isAnywhere(requirement)) return requirement
  const entry = operationEntry(operation)
  const { schema } = describedResponse(entry, status, false) ?? describedResponse(entry, 200, false) ?? {}
  const open = schema && leftOpenAt(schema.schema, path)
  return open ?? (shownResponses.includes(operation) ? requirement : 'wire.schema')
}

/** The beginning of a body, as a fallback for messages. */
function sampleOf({ shown: given, status, text, body, utf8 }: ExchangeReading): string {
  if (given !== undefined) return given
  const isShown = status >= 500 || status === 204 || body === undefined || !utf8
  return isShown ? (text?.slice(0, 200) ?? shown(body)) : ''
}

function ignore(): void {}
