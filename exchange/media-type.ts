/**
 * The media type of a `Content-Type` header without its parameters, in lower case (RFC 9110, section 8.3.1). Empty if
 * there is none.
 */
export function mediaType(contentType: string | undefined): string {
  // Almost every response has this one.
  if (contentType === 'application/json') return contentType
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
