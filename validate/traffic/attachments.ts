/**
 * Bodies that Playwright keeps in files next to a HAR (`content: 'attach'`): an entry has the name of the file, in
 * `_file`, instead of the text.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'

/** The bytes of a file next to the recording. Undefined if there is none, or if it is too large. */
export type ReadAttachment = (name: string) => Uint8Array | undefined

export const noAttachment: ReadAttachment = () => undefined

/**
 * An entry of a HAR with the bodies of its files.
 *
 * @returns also why the body of the response is missing, if its file is
 */
export function withAttachments(
  entry: Record<string, unknown>,
  read: ReadAttachment,
): { entry: Record<string, unknown>; missing?: string } {
  const { request, response } = entry
  const sent = isObject(request) ? bodyOf(request.postData, read) : undefined
  const received = isObject(response) ? bodyOf(response.content, read) : undefined
  if (sent === undefined && received === undefined) return { entry }
  const text = sent?.bytes && Buffer.from(sent.bytes).toString()
  const content = received?.bytes && {
    text: Buffer.from(received.bytes).toString('base64'),
    encoding: 'base64',
  }
  return {
    entry: {
      ...entry,
      ...(isObject(request) && text !== undefined && { request: merged(request, 'postData', { text }) }),
      ...(isObject(response) && content !== undefined && { response: merged(response, 'content', content) }),
    },
    ...(received !== undefined &&
      received.bytes === undefined && {
        missing: `the recording has no body: its file ${received.name} ${isAttachment(received.name) ? 'is missing or too large' : 'is not one of Playwright'} (record with content: 'embed')`,
      }),
  }
}

function bodyOf(
  body: unknown,
  read: ReadAttachment,
): { name: string; bytes: Uint8Array | undefined } | undefined {
  if (!isObject(body) || typeof body._file !== 'string' || body.text !== undefined) return undefined
  const name = body._file
  return { name, bytes: isAttachment(name) ? read(name) : undefined }
}

/** Playwright names them by SHA-1. A recording must not make this read any other file. */
function isAttachment(name: string): boolean {
  return /^[0-9a-f]{40}\.\w+$/i.test(name)
}

function merged(message: Record<string, unknown>, key: string, body: object): Record<string, unknown> {
  return { ...message, [key]: { ...(message[key] as object), ...body } }
}
