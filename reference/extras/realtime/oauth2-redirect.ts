/**
 * `GET` and `POST /oauth2-redirect`: where an identity provider sends the popup of the official client. The connection
 * whose id is the state hears of the code once, and its client signs in with it.
 *
 * @module
 */

import { bodyLimit, readBody } from '../../http/read-body.ts'
import { commonHeaders } from '../../http/respond.ts'
import type { RequestContext } from '../../services.ts'
import type { RealtimeInternals } from './realtime.ts'

const topic = '@oauth2'

function page(text: string): Response {
  const html = `<!doctype html><meta charset="utf-8"><title>Sign-in</title><p>${text}</p><script>window.close()</script>\n`
  return new Response(html, { headers: { ...commonHeaders, 'Content-Type': 'text/html; charset=utf-8' } })
}

/** Some providers send a form, others a query. */
async function parametersOf(
  context: RequestContext,
  request: Request,
): Promise<Readonly<Record<string, unknown>>> {
  if (request.method !== 'POST') return context.query
  return (await readBody(request, bodyLimit, context)).values
}

/** A page that closes itself, whether or not there was anyone to tell. */
export async function oauth2Redirect(
  realtime: RealtimeInternals,
  context: RequestContext,
  request: Request,
): Promise<Response> {
  const parameters = await parametersOf(context, request)
  const text = (name: string) => String(parameters[name] ?? '')
  const [state, code, error] = [text('state'), text('code'), text('error')]
  const connection = state === '' ? undefined : realtime.find(state)
  const waits = connection?.ip === context.ip && connection.topics(topic).length > 0
  if (connection === undefined || !waits)
    return page('The sign-in failed: no application waits for it. Close this window and start again.')
  connection.stream.send(topic, JSON.stringify({ state, code, ...(error !== '' && { error }) }))
  connection.unsubscribe(topic)
  if (error !== '' || code === '') return page('The sign-in failed. Close this window and start again.')
  return page('You are signed in. Close this window and go back to the application.')
}
