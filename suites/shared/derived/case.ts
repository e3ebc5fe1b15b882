/**
 * A derived case: one way in which a request differs from a valid one, in one named part of the description. Types only.
 *
 * @module
 */

import type { OperationId } from '../../../spec/vocabulary.ts'

/** Where the one difference is. `body` is the body as a whole, and `media type` the way in which it is written. */
export type CasePlace =
  | 'path parameter'
  | 'query parameter'
  | 'header'
  | 'body key'
  | 'body'
  | 'media type'
  | 'method'

/** What is wrong there. `described` is right: another media type that the description names. */
export type Mutation =
  | 'omitted'
  | 'null'
  | 'of a wrong type'
  | 'empty'
  | 'malformed'
  | 'too long'
  | 'duplicated'
  | 'unknown'
  | 'at a bound'
  | 'beyond a bound'
  | 'described'

/** A text that goes out as it is, where a value would be encoded. */
export interface Raw {
  raw: string
}

/** A query parameter whose name has something after it: `page[]`. */
export interface Suffixed {
  suffix: string
  text: string
}

/**
 * What replaces a value: nothing for an empty list, else each of these values under the same name. In a path,
 * a query or a header they are strings, `Raw` or `Suffixed`; in a body they are JSON.
 *
 * @param right what a valid request has there; an example that fits the description if it has nothing
 */
export type ValueChange = (right: unknown) => readonly unknown[]

export interface DerivedCase {
  operation: OperationId
  place: CasePlace
  /** Of the parameter or header; of a body key with its way from the top, `requests[].method`. Empty for a whole body. */
  name: string
  /** Role of the table whose field a body key is. The description leaves the fields of records to their tables. */
  role?: string
  mutation: Mutation
  change: ValueChange
  /** Whether the request still contains the right value, so that a server may lawfully find it. */
  keeps: boolean
  /** Place, name and mutation in words. Different from all other cases of the operation. */
  title: string
}
