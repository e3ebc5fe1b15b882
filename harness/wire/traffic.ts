/**
 * The log of violations in the exchanges of a session: each exchange is validated when it is recorded; checks about
 * every response read the log.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Rules } from '../../validate/beyond/judging.ts'
import { splitUrl } from '../../validate/find-operation.ts'
import { judgeExchange } from '../../validate/judge-exchange.ts'
import type { ExchangeReading } from '../../validate/reading/reading.ts'
import { type RequestMeaning, requestMeaning } from '../../validate/request-meaning.ts'
import type { Traffic } from '../vocabulary/check.ts'
import type { Violation } from '../vocabulary/finding.ts'
import type { Target } from '../vocabulary/target.ts'
import { foundOperation, targetRules } from './target-rules.ts'

const mostKept = 5

/** Facts about an exchange in addition to its data. */
export interface Circumstances extends Pick<RequestMeaning, 'amidWrites'> {
  /** The recorded form, as reports show it. */
  exchange: Exchange
  /** The check that was running. */
  during: string | undefined
}

/**
 * Whether a reader can see the cause more easily: in an operation of the document rather than outside of it, and in a
 * short request rather than in one with a parameter of a thousand characters.
 */
function isPlainer({ exchange: one }: Violation, { exchange: other }: Violation): boolean {
  if ((one.operation === undefined) !== (other.operation === undefined)) return one.operation !== undefined
  return sizeOf(one) < sizeOf(other)
}

const sizeOf = ({ request }: Exchange) => request.url.length + request.bytes

export class TrafficLog implements Traffic {
  readonly #target: () => Target
  #rules: { target: Target; rules: Rules } | undefined
  readonly #violations = new Map<string, Violation[]>()
  /** By exchange, while it is referenced. */
  readonly #byExchange = new WeakMap<Exchange, Violation[]>()
  judged = 0

  /** @param target its tables become known after the first exchanges */
  constructor(target: () => Target) {
    this.#target = target
  }

  /** The plainest first. */
  violations(requirement: string): readonly Violation[] {
    return this.#violations.get(requirement) ?? []
  }

  broken(): readonly string[] {
    return [...this.#violations.keys()]
  }

  about(exchange: Exchange): readonly Violation[] {
    return this.#byExchange.get(exchange) ?? []
  }

  /** @param reading the request with the target's names, and the response with the names of the description */
  judge(reading: ExchangeReading, { exchange, during, amidWrites = false }: Circumstances): void {
    this.judged += 1
    const rules = this.#currentRules()
    const found = foundOperation({ operation: reading.operation, url: reading.request.url }, rules.prefix)
    const [, query] = splitUrl(reading.request.url)
    const meaning = { ...requestMeaning(found, query, reading.request.body, rules.names), amidWrites }
    const noPages = this.#target().unknownForms?.includes('page number') === true
    for (const { requirement, message, expected, received } of judgeExchange(reading, meaning, rules)) {
      // A server may ignore what it calls something else.
      if (noPages && (requirement === 'list.page' || requirement === 'list.full-pages')) continue
      this.report({ requirement, message, expected, received, exchange, during })
    }
  }

  /** Adds a violation that is not visible in the response. */
  report(violation: Violation): void {
    const about = this.#byExchange.get(violation.exchange)
    if (about === undefined) this.#byExchange.set(violation.exchange, [violation])
    else about.push(violation)
    const known = this.#violations.get(violation.requirement) ?? []
    this.#violations.set(violation.requirement, known)
    const after = known.findIndex((each) => isPlainer(violation, each))
    known.splice(after < 0 ? known.length : after, 0, violation)
    known.splice(mostKept)
  }

  #currentRules(): Rules {
    const target = this.#target()
    if (this.#rules?.target !== target) this.#rules = { target, rules: targetRules(target) }
    return this.#rules.rules
  }
}
