/**
 * Values of file fields for records that tests generate.
 *
 * @module
 */

import { File } from 'node:buffer'

/** The smallest files that can be identified by their bytes, in base64. */
const samples: ReadonlyMap<string, readonly [name: string, content: string]> = new Map(
  Object.entries({
    'image/png': [
      'sample.png',
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ],
    'image/gif': ['sample.gif', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'],
    'image/jpeg': ['sample.jpg', '/9j/4AAQSkZJRgABAQEASABIAAD/2Q=='],
    'image/webp': ['sample.webp', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'],
    'application/pdf': ['sample.pdf', Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64')],
    'application/zip': ['sample.zip', 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA=='],
    'text/plain; charset=utf-8': ['sample.txt', Buffer.from('sample\n').toString('base64')],
  } as const),
)

/**
 * A small file of one of these media types, or of any type if the list is empty.
 *
 * @throws Error if there is no sample of these types
 */
export function sampleFile(mimeTypes: readonly string[], place: string): File {
  const type =
    mimeTypes.length === 0 ? 'text/plain; charset=utf-8' : mimeTypes.find((one) => samples.has(one))
  const sample = type === undefined ? undefined : samples.get(type)
  if (sample === undefined) {
    throw new Error(`No file can be made up for ${place} of ${mimeTypes.join(', ')}. Pass the file yourself.`)
  }
  const [name, content] = sample
  return new File([Buffer.from(content, 'base64')], name, { type })
}
