/**
 * What must hold for every response, whatever was sent.
 *
 * @module
 */

import type { ResponseValidator } from '../../../validate/validate.ts'
import { Misbehaved } from '../misbehaved.ts'
import type { FuzzedRequest, ReceivedResponse } from '../vocabulary.ts'
import type { Secrets } from '../world/world.ts'

/** Milliseconds of CPU that one request may take on the thread of the server. */
export const longestBlock = 250

/** @throws Misbehaved */
export function judgeFuzzed(
  validator: ResponseValidator,
  secrets: Secrets,
  request: FuzzedRequest,
  response: ReceivedResponse,
  operation: string,
): void {
  const { status, body, headers } = response
  const text = Buffer.from(body).toString()
  if (status >= 500)
    throw new Misbehaved('5xx', `${operation} ${status}`, `status ${status}: ${text.slice(0, 300)}`)
  if (status < 200)
    throw new Misbehaved('protocol', `${operation} ${status}`, `status ${status} is not final`)
  const hidden = text.includes(secrets.hidden) && !secrets.isTrusted(request.headers.authorization)
  const secret = hidden ? secrets.hidden : secrets.ofAll.exec(text)?.[0]
  if (secret !== undefined)
    throw new Misbehaved('leak', operation, `the response contains the secret ${JSON.stringify(secret)}`)
  const { method, path } = request
  const result = validator.validate({
    request: { method, url: path, headers: request.headers, body: request.body },
    response: { status, headers, body },
  })
  const [finding] = result.findings
  if (finding !== undefined) throw new Misbehaved('disagreement', finding.requirement, finding.toString())
  if (result.operation === undefined && method !== 'HEAD') judgeOther(status, text, headers)
}

/** Responses outside of the interface: an error in the usual form, or what a preflight gets. */
function judgeOther(status: number, text: string, headers: Record<string, string>): void {
  if (text === '' && (status === 204 || (status >= 300 && status < 400))) return
  if (!/^application\/json/.test(headers['content-type'] ?? ''))
    throw new Misbehaved(
      'disagreement',
      'no operation: media type',
      `status ${status}, ${headers['content-type']}`,
    )
  try {
    JSON.parse(text)
  } catch {
    throw new Misbehaved('disagreement', 'no operation: body', `no JSON: ${text.slice(0, 200)}`)
  }
}
