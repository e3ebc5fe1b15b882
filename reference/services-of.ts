/**
 * Access to the state and settings of a reference, for the project's own folders: `serve/`, `proofs/` and tests. No
 * entry of the package exports it.
 *
 * @module
 */

import type { AnyReference } from './reference-types.ts'
import type { Services } from './services.ts'

/** Responds to a request that came from `ip`. The response may be one that only a socket of `listen` can send. */
export type Respond = (request: Request, ip: string) => Promise<Response>

interface Internals {
  services: Services
  respond: Respond
  /** Server-sent events with the changes of all records, as a superuser receives them. */
  changes: (signal: AbortSignal) => ReadableStream<Uint8Array>
  /** The response with a stored file, also a protected one. */
  file: (place: FilePlace) => Response | undefined
}

/** Where a file is stored. */
export interface FilePlace {
  table: string
  id: string
  name: string
}

const known = new WeakMap<object, Internals>()

/** Registers the internals of a reference. Returns the reference. */
export function withServices(reference: AnyReference, internals: Internals): AnyReference {
  known.set(reference, internals)
  return reference
}

/**
 * The store, the tokens, the settings and the background work of a reference.
 *
 * @throws TypeError for an object that `createReference` or `fork` did not return, for example a copy
 */
export function servicesOf(reference: object): Services {
  return internalsOf(reference).services
}

/**
 * Responds as `reference.fetch` does, without making a native `Response`: a socket does not need one, and making it and
 * reading its stream takes longer than everything else about a small request.
 *
 * @throws TypeError for an object that is not a reference
 */
export function respondOf(reference: object): Respond {
  return internalsOf(reference).respond
}

/**
 * Server-sent events with the changes of all records, as a superuser receives them.
 *
 * @throws TypeError for an object that is not a reference, ApiError 429 if there are too many realtime connections
 */
export function changesOf(reference: object, signal: AbortSignal): ReadableStream<Uint8Array> {
  return internalsOf(reference).changes(signal)
}

/**
 * The response with a stored file, also a protected one. Undefined if the file does not exist, or if its content is missing.
 *
 * @throws TypeError for an object that is not a reference
 */
export function fileOf(reference: object, place: FilePlace): Response | undefined {
  return internalsOf(reference).file(place)
}

function internalsOf(reference: object): Internals {
  const internals = known.get(reference)
  if (internals === undefined)
    throw new TypeError('This object is not a reference: pass what createReference() or fork() returned.')
  return internals
}
