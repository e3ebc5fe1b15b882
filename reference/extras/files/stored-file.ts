/**
 * The response with a stored file for the console, which shows protected files, too. A link of the interface would need
 * a token, which would expire while the page is open, and the request would be logged.
 *
 * @module
 */

import type { FilePlace } from '../../services-of.ts'
import type { Reader } from '../../vocabulary.ts'
import { fileHeaders } from './file-headers.ts'

/** Undefined if the file does not exist, or if its content is missing. */
export function storedFile(reader: Reader, place: FilePlace): Response | undefined {
  const table = reader.table(place.table)
  const file = table && reader.file(table, place.id, place.name)
  if (file === undefined) return undefined
  const headers = fileHeaders(place.name, file, false)
  // Other origins may read what the interface sends, and browsers may keep it.
  headers.delete('Access-Control-Allow-Origin')
  headers.set('Cache-Control', 'no-store')
  return new Response(new Uint8Array(file.bytes), { headers })
}
