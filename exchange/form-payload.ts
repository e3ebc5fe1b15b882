/**
 * JSON in a form: the official client sends batches and files in this way.
 *
 * @module
 */

import { jsonObject } from './json-object.ts'

/** Key of the JSON in a form. */
export const payloadKey = '@jsonPayload'

/** The objects in the JSON of a form, usually one. */
export function formPayloads(form: FormData): Record<string, unknown>[] {
  return form
    .getAll(payloadKey)
    .map(jsonObject)
    .filter((each) => each !== undefined)
}
