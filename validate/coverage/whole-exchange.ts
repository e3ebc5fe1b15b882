import type { PlainExchange } from '../../exchange/plain-exchange.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { FoundOperation } from '../find-operation.ts'
import type { ExchangeReading } from '../reading/reading.ts'

/** An exchange to count, with its place in the interface. The body of its response is parsed JSON, or undefined. */
export interface WholeExchange extends PlainExchange {
  /** Operation of the interface. */
  operation: OperationId
  /** `{table}` of the path. */
  table: string
}

/** An exchange that was read, as coverage counts it. */
export function wholeExchange(
  { request, status, body }: Pick<ExchangeReading, 'request' | 'status' | 'body'>,
  { operation, table }: Pick<FoundOperation, 'operation' | 'table'>,
): WholeExchange {
  return { operation: operation.id, table, request, response: { status, body } }
}
