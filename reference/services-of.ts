/**
 * Access to the state and settings of a reference, for the project's own folders: `serve/`, `proofs/` and tests. No
 * entry of the package exports it.
 *
 * @module
 */

import type { AnyReference } from './reference-types.ts'
import type { Services } from './services.ts'

const known = new WeakMap<object, Services>()

/** Registers the services of a reference. Returns the reference. */
export function withServices(reference: AnyReference, services: Services): AnyReference {
  known.set(reference, services)
  return reference
}

/**
 * The store, the tokens, the settings and the background work of a reference.
 *
 * @throws TypeError for an object that `createReference` or `fork` did not return, for example a copy
 */
export function servicesOf(reference: object): Services {
  const services = known.get(reference)
  if (services === undefined)
    throw new TypeError('This object is not a reference: pass what createReference() or fork() returned.')
  return services
}
