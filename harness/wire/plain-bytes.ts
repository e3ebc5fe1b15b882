import { decodeContent } from '../../exchange/decode.ts'
import { largestBody, type WireResponse } from './exchange-bytes.ts'

/** A gateway may compress a response without being asked: the response inside is validated as it would be without. */
export function plainBytes({ headers, bytes }: WireResponse): { bytes: Buffer } | { why: string } {
  const coding = headers['content-encoding'] ?? ''
  if (coding === '' || bytes.length === 0) return { bytes }
  const plain = decodeContent(bytes, coding, largestBody)
  return 'why' in plain ? plain : { bytes: Buffer.from(plain.bytes) }
}
