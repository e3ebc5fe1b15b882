/**
 * Responds to a request for an operation of the control endpoints or the console.
 *
 * @module
 */

import { inWords } from '../spec/in-words.ts'
import { didYouMean, quoted } from '../spec/nearest.ts'
import { checkBody, checkQuery, type EndpointGroup, type ServeOperation } from './operation.ts'
import { controlOperations } from './operations.ts'
import { InvalidControlRequest, readObject, readValue, responding, respondJson } from './respond.ts'
import type { Serving } from './serving.ts'

/** @param path after the prefix, undecoded */
export function runOperation(
  group: EndpointGroup,
  serving: Serving,
  request: Request,
  path: string,
): Promise<Response> {
  return responding(async () => {
    const { operation, parameters } = operationAt(group, request.method, path)
    const query = new URL(request.url).searchParams
    // A request of the console has the parameters of the interface.
    if (group === 'control' || operation.query !== undefined) checkQuery(query, operation.query ?? {})
    const body = readsKeys(group, operation) ? await readObject(request) : {}
    checkBody(body, operation.body ?? {})
    const content = operation.content === undefined ? undefined : await readValue(request)
    const result = await operation.run({ serving, request, parameters, query, body, content })
    return isResponse(result) ? result : respondJson(result)
  })
}

/** An operation of the console without keys sends the body to the interface. */
function readsKeys(group: EndpointGroup, { method, body, content }: ServeOperation): boolean {
  return body !== undefined || (group === 'control' && method === 'POST' && content === undefined)
}

/** By its name: the class of a response is not the global one if another library has replaced that. */
function isResponse(result: unknown): result is Response {
  return Object.prototype.toString.call(result) === '[object Response]'
}

interface Match {
  operation: ServeOperation
  parameters: Record<string, string>
}

/** @throws InvalidControlRequest 404 for an unknown operation; URIError for a path that cannot be decoded */
function operationAt(group: EndpointGroup, method: string, path: string): Match {
  const given = path.split('/').map(decodeURIComponent)
  const there = controlOperations.filter(({ groups }) => groups.includes(group))
  for (const operation of there) {
    const parameters = operation.method === method ? parametersOf(operation.path, given) : undefined
    if (parameters !== undefined) return { operation, parameters }
  }
  const asked = `${method} ${path}`
  const names = there.flatMap((each) => (each.path === '' ? [] : `${each.method} ${each.path}`))
  const others = there.filter((each) => parametersOf(each.path, given) !== undefined)
  // The path alone is right: then only the method is named.
  const hint =
    others.length === 0
      ? didYouMean(asked, names) || ` Use one of ${names.join(', ')}.`
      : ` Use ${inWords(
          others.map((each) => each.method),
          'or',
        )}.`
  throw new InvalidControlRequest(`Unknown ${group} request ${quoted(asked)}.${hint}`, 404)
}

/** The segments at the parameters of the pattern; undefined if the path does not match it. */
function parametersOf(pattern: string, given: readonly string[]): Record<string, string> | undefined {
  const segments = pattern.split('/')
  if (segments.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const value = given[at] ?? ''
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined ? segment !== value : value === '') return undefined
    if (name !== undefined) parameters[name] = value
  }
  return parameters
}
