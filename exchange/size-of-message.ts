import type { RecordedMessage } from './exchange.ts'

/** Characters of the headers and the body of a request or a response. */
export function sizeOfMessage({
  headers,
  body = '',
}: Pick<RecordedMessage, 'headers'> & { body?: string }): number {
  let size = body.length
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0)
  return size
}
