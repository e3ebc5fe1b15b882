/**
 * The examples of a requirement as lines: requests after `>`, responses after `<`. A function of data.
 *
 * @module
 */

import { visible } from '../../exchange/visible.ts'
import type {
  ExampleExchange,
  ExampleExchanges,
  ExampleRequest,
  ExampleResponse,
  FailingExample,
} from '../../spec/example-exchanges.ts'

/** @param examples undefined: none were recorded */
export function exampleLines(examples: ExampleExchanges | undefined): string[] {
  const { conforming, failing, missing = 'none was recorded' } = examples ?? {}
  const [right, wrong] = [
    conforming === undefined
      ? [`no conforming exchange: ${missing}`]
      : ['a conforming exchange', ...exchangeLines(conforming)].map(indented),
    failing === undefined
      ? [`no failing exchange: ${missing}`]
      : [
          `a failing exchange: ${failing.problem}`,
          ...(isAlike(failing, conforming)
            ? ['the same request and response: an email, a value that is cut, or another response is wrong']
            : exchangeLines({ ...conforming, ...failing, response: failing.response })),
        ].map(indented),
  ]
  return [...right, '', ...wrong].map(visible)
}

function indented(line: string, at: number): string {
  return at === 0 ? line : `  ${line}`
}

/** Whether the last exchange does not show what is wrong. */
function isAlike(failing: FailingExample, conforming: ExampleExchange | undefined): boolean {
  return (
    failing.request === undefined && JSON.stringify(failing.response) === JSON.stringify(conforming?.response)
  )
}

function exchangeLines({ before, request, response }: Partial<ExampleExchange>): string[] {
  return [
    ...(before === undefined ? [] : [...requestLines(before), `< ${before.status}`]),
    ...(request === undefined ? [] : requestLines(request)),
    ...(response === undefined
      ? ['< no response']
      : [String(response.status), ...partLines(response)].map((line) => `< ${line}`)),
  ]
}

function requestLines(request: ExampleRequest): string[] {
  return [`${request.method} ${request.path}`, ...partLines(request)].map((line) => `> ${line}`)
}

function partLines({ headers = {}, body }: Pick<ExampleResponse, 'headers' | 'body'>): string[] {
  return [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : body.split('\n')),
  ]
}
