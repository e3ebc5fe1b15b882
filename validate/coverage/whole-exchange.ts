import type { OperationId } from '../../spec/vocabulary.ts'
import type { FoundOperation } from '../find-operation.ts'
import type { ExchangeReading } from '../reading/reading.ts'

/** An exchange to count, with the operation that it belongs to. */
export interface WholeExchange {
  /** Operation of the interface. */
  operation: OperationId
  /** `{table}` of the path. */
  table: string
  /** Status of the response. */
  status: number
  /** Query of the request, without the question mark. */
  query: string
  /** Headers of the request, of any kind that `headerOf` reads. */
  headers: unknown
  /** Body of the request: text, bytes, a form, or the value that becomes JSON. */
  body: unknown
  /** Parsed JSON of the response; undefined if there is none. */
  responseBody: unknown
}

/**
 * An exchange that was read, as coverage counts it.
 *
 * @param query of the request, without the question mark
 */
export function wholeExchange(
  reading: Pick<ExchangeReading, 'status' | 'requestHeaders' | 'requestBody' | 'body'>,
  { operation, table }: Pick<FoundOperation, 'operation' | 'table'>,
  query: string,
): WholeExchange {
  const { status, requestHeaders: headers, requestBody, body } = reading
  return { operation: operation.id, table, query, headers, body: requestBody, status, responseBody: body }
}
