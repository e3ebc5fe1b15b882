/**
 * Encodes a form as `multipart/form-data`, byte for byte the same each time: the boundary follows from the content.
 *
 * @module
 */

import { hashOf } from '../support/hash.ts'

export interface EncodedForm {
  contentType: string
  bytes: Uint8Array
  /** What a report shows instead of the bytes. */
  summary: string
}

/** @param shown what a report may show of a field */
export async function encodeForm(
  form: FormData,
  shown: (name: string, value: string) => string,
): Promise<EncodedForm> {
  const parts: { head: string; bytes: Uint8Array }[] = []
  const lines: string[] = []
  const summary: string[] = []
  const text = new TextEncoder()
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      parts.push({
        head: `Content-Disposition: form-data; name="${quoted(name)}"`,
        bytes: text.encode(value),
      })
      lines.push(`${name}=${value}`)
      summary.push(`${name}=${shown(name, value)}`)
    } else {
      const type = value.type === '' ? 'application/octet-stream' : value.type
      const head = `Content-Disposition: form-data; name="${quoted(name)}"; filename="${quoted(value.name)}"\r\nContent-Type: ${type}`
      parts.push({ head, bytes: new Uint8Array(await value.arrayBuffer()) })
      const line = `${name}=@${value.name} (${value.size} bytes, ${type})`
      lines.push(line)
      summary.push(line)
    }
  }
  const boundary = `form-${hashOf(...lines).toString(36)}-${hashOf(lines.length, ...lines).toString(36)}`
  const chunks = parts.flatMap((part) => [
    text.encode(`--${boundary}\r\n${part.head}\r\n\r\n`),
    part.bytes,
    text.encode('\r\n'),
  ])
  chunks.push(text.encode(`--${boundary}--\r\n`))
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat(chunks),
    summary: summary.join('\n'),
  }
}

function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
