/**
 * The way from a reference to its state and settings, for the project's own rooms: serving, the console, the proofs and
 * tests. No entry of the package exports it.
 *
 * @module
 */

import type { AnyReference } from './reference-types.ts'
import type { Services } from './services.ts'

const known = new WeakMap<object, Services>()

/** Makes the services of a reference known. The reference is returned. */
export function withServices(reference: AnyReference, services: Services): AnyReference {
  known.set(reference, services)
  return reference
}

/**
 * The store, the tokens, the settings and the background work of a reference.
 *
 * @throws TypeError for an object that `createReference` or `fork` did not return, a copy for example
 */
export function servicesOf(reference: object): Services {
  const services = known.get(reference)
  if (services === undefined)
    throw new TypeError('This object is not a reference: pass what createReference() or fork() returned.')
  return services
}
