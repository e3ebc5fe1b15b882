import { mediaType } from '../../exchange/media-type.ts'

/** Whether a body is an event stream: it does not end, and is outside the interface. */
export function isEventStream(contentType: string | null | undefined): boolean {
  return mediaType(contentType ?? '') === 'text/event-stream'
}
