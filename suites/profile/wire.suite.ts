/** Statuses, media types and schemas of every exchange, as the standard profile has them. */

import { check } from '../../harness/check.ts'
import { everyExchange } from '../shared/every-exchange.ts'

check('wire.documented-status', everyExchange)
check('wire.media-type', everyExchange)
check('wire.schema', everyExchange)
check('wire.no-server-error', everyExchange)
