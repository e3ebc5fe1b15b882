import { commonHeaders } from '../../http/respond.ts'
import type { RequestContext } from '../../services.ts'
import type { RealtimeInternals } from './realtime.ts'

const headers = {
  ...commonHeaders,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // A proxy that buffers the response would delay events.
  'X-Accel-Buffering': 'no',
}

/**
 * `GET /realtime`: a stream of events that lasts until the client disconnects, at most half an hour. `POST /realtime`
 * sets its caller and its topics.
 *
 * @throws ApiError 429 if there are too many streams
 */
export function connectRealtime(
  realtime: RealtimeInternals,
  { ip }: RequestContext,
  request: Request,
): Response {
  if (request.method === 'HEAD') return new Response(null, { headers })
  return new Response(realtime.connect(ip, request.signal).stream.body, { headers })
}
