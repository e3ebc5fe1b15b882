/**
 * Requirements about every exchange: judged last, over all exchanges of the run.
 *
 * @module
 */

import { check } from '../harness/check.ts'
import { BlockedError, ExpectationError } from '../harness/expect.ts'
import type { CheckContext } from '../harness/vocabulary.ts'

/** Fails with the first exchange that breaks the requirement; blocked when there was none to judge. */
async function everyExchange({ id, traffic }: CheckContext): Promise<void> {
  if (traffic.judged === 0) throw new BlockedError('no response was seen in this run')
  const [violation] = traffic.violations(id)
  if (violation === undefined) return
  throw new ExpectationError(violation.message, violation.expected, violation.received, [violation.exchange])
}

check('wire.json-bodies', everyExchange)
check('wire.documented-status', everyExchange)
check('wire.media-type', everyExchange)
check('wire.no-body', everyExchange)
check('wire.schema', everyExchange)
check('wire.no-server-error', everyExchange)
check('wire.no-secrets', everyExchange)
