import { commonHeaders } from '../../http/respond.ts'
import type { RequestContext } from '../../services.ts'
import type { RealtimeInternals } from './realtime.ts'

const headers = {
  ...commonHeaders,
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // A proxy that waits for more before it passes anything on would hold events back.
  'X-Accel-Buffering': 'no',
}

/**
 * `GET /realtime`: a stream of events that lasts until the client goes away, at most half an hour. Who listens, and to
 * what, comes with `POST /realtime`.
 *
 * @throws ApiError 429 when there are too many streams
 */
export function connect(realtime: RealtimeInternals, { ip }: RequestContext, request: Request): Response {
  if (request.method === 'HEAD') return new Response(null, { headers })
  return new Response(realtime.connect(ip, request.signal).stream.body, { headers })
}
