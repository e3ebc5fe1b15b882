/** Whether a body is an event stream: it does not end, and is outside the interface. */
export function isEventStream(contentType: string | null | undefined): boolean {
  return contentType?.startsWith('text/event-stream') === true
}
