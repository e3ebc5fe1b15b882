import { readClaims } from '../reference/auth/tokens.ts'
import type { Reader } from '../reference/vocabulary.ts'

/** Who a request says it is from, for people to read. Whether that is true the status tells. */
export function describeCaller(authorization: string | null, reader: Reader): string {
  const text = authorization?.replace(/^Bearer +/i, '') ?? ''
  if (text === '') return 'anonymous'
  const key = /^rak_([a-z0-9]+)_/.exec(text)?.[1]
  if (key !== undefined) return `key ${key}`
  const claims = readClaims(text)
  if (claims === undefined) return 'unknown token'
  return `${reader.table(claims.collectionId)?.name ?? claims.collectionId}/${claims.id}`
}
