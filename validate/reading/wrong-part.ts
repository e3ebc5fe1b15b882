import { isObject } from '../../exchange/json-object.ts'
import { foundValue, kindName } from '../../spec/kind-name.ts'

/**
 * What is wrong with an object that is meant as a plain exchange. Of its parts only the types: recordings contain more
 * keys.
 *
 * @returns undefined if nothing is
 */
export function wrongPart({
  request,
  response,
}: {
  request?: unknown
  response?: unknown
}): string | undefined {
  if (!isObject(request)) return mustBe('request', 'an object with method and url', kindName(request))
  if (!isObject(response))
    return mustBe('response', 'an object with status, headers and body', kindName(response))
  const { url, method } = request
  if (typeof url !== 'string') return mustBe('request.url', 'a string', foundValue(url))
  if (isGiven(method) && typeof method !== 'string')
    return mustBe('request.method', 'a string', foundValue(method))
  if (isGiven(request.headers) && typeof request.headers !== 'object')
    return mustBe('request.headers', 'an object', foundValue(request.headers))
  return wrongResponse(response, 'response.')
}

/** @param place of the response, with a dot at the end; empty if it is all that was passed */
export function wrongResponse(response: Record<string, unknown>, place: string): string | undefined {
  const { status, statusCode = status, headers } = response
  // Of Playwright.
  if (typeof statusCode === 'function') return undefined
  if (typeof statusCode !== 'number') return mustBe(`${place}status`, 'a number', foundValue(status))
  if (!Number.isInteger(statusCode) || statusCode < 1)
    return mustBe(`${place}status`, 'the status of a response', foundValue(statusCode))
  if (isGiven(headers) && typeof headers !== 'object')
    return mustBe(`${place}headers`, 'an object', foundValue(headers))
  return undefined
}

/** @throws TypeError if there is something wrong */
export function expectPart(wrong: string | undefined): void {
  if (wrong !== undefined) throw new TypeError(`This exchange cannot be validated: ${wrong}.`)
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

function mustBe(place: string, wanted: string, found: string): string {
  return `${place} must be ${wanted}; found ${found}`
}
