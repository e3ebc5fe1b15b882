/**
 * For each requirement: an exchange that conforms and one that does not. Both are real: the first is the reference's, the
 * second that of the reference with a defect. `npm run examples` records them.
 *
 * @module
 */

import { readData } from './read-data.ts'

/** A request, as far as an example shows it. */
export interface ExampleRequest {
  method: string
  /** Path and query. */
  path: string
  /** Those that matter, by lower-case name. Secrets are replaced. */
  headers?: Record<string, string>
  /** Truncated. Secrets are replaced. Absent: empty. */
  body?: string
}

export interface ExampleResponse {
  status: number
  headers?: Record<string, string>
  body?: string
}

export interface ExampleExchange {
  /** A request that made the state which this exchange shows, and the status of its response. */
  before?: ExampleRequest & { status: number }
  request: ExampleRequest
  /** Absent: the connection ended without a response. */
  response?: ExampleResponse
}

/** Without `before` and `request`, they are those of the conforming exchange. */
export interface FailingExample extends Partial<ExampleExchange> {
  /** The defect of the server. */
  defect: string
  /** What is wrong, in one line. */
  problem: string
}

export interface ExampleExchanges {
  conforming?: ExampleExchange
  failing?: FailingExample
  /** Why one of them is missing. */
  missing?: string
}

let examples: Readonly<Record<string, ExampleExchanges>> | undefined

/** By id of the requirement. */
export function loadExampleExchanges(): Readonly<Record<string, ExampleExchanges>> {
  examples ??= readData('generated/exchanges') as Record<string, ExampleExchanges>
  return examples
}
