const openingBrace = 0x7b

/**
 * The mistake of `curl -d '{…}'` without a header: the whole body is the name of a form
 * field, and every field is missing.
 */
export function jsonSentAsForm(headers: Headers, body: Uint8Array | undefined): string | undefined {
  const mediaType = headers.get('content-type')?.trimStart().toLowerCase()
  if (!mediaType?.startsWith('application/x-www-form-urlencoded')) return undefined
  const first = body?.find((byte) => byte > 0x20)
  return first === openingBrace
    ? 'The body looks like JSON, but its Content-Type is application/x-www-form-urlencoded: send application/json.'
    : undefined
}
