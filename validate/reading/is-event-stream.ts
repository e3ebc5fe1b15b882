/** Whether a body is a stream of events: it has no end to wait for, and is outside the interface. */
export function isEventStream(contentType: string | null | undefined): boolean {
  return contentType?.startsWith('text/event-stream') === true
}
