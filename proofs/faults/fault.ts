/**
 * A fault: one named, deliberate defect of a server, put in front of the reference, and the checks that must see it.
 * It proves that a check can fail. docs/decisions/002 says why faults stand in front.
 *
 * @example
 * fault('list forgets its last record', { trips: ['list.total-items'] },
 *   tamper('listRecords', (body) => ({ ...body, items: items(body).slice(0, -1) })))
 *
 * @module
 */

import type { Reference } from '../../reference/reference.ts'

export type Next = (request: Request) => Promise<Response>
export type Middleware = (request: Request, next: Next) => Promise<Response>

/** What a fault may use in addition to the request. */
export interface FaultTools {
  /** The healthy reference: store, clock, mailbox. */
  reference: Reference
  /** The healthy reference, with every request sent as a superuser, whatever Authorization the request carries. */
  asSuperuser(request: Request): Promise<Response>
  /** Path prefix of the interface, `/api/v1`. */
  prefix: string
}

export interface DeclaredFaultOptions {
  /** Requirements whose checks must not pass on a server with this fault. */
  trips: readonly string[]
  /** Whether the target claims no profile: a run then tries what the profile would say. @default false */
  unclaimed?: boolean
}

export interface DeclaredFault extends DeclaredFaultOptions {
  name: string
  /** Called once for each faulty server, so that a fault can keep state. */
  make(tools: FaultTools): Middleware
}

const registry = new Map<string, DeclaredFault>()

/** Declares a fault. The name says the defect in words; it is unique. */
export function fault(
  name: string,
  options: DeclaredFaultOptions,
  make: (tools: FaultTools) => Middleware,
): void {
  if (registry.has(name)) throw new Error(`Two faults are called "${name}": rename one of them.`)
  if (options.trips.length === 0)
    throw new Error(`The fault "${name}" trips nothing: name the checks that must see it.`)
  registry.set(name, { name, ...options, make })
}

/** All faults declared so far, in the order of declaration. */
export function declaredFaults(): readonly DeclaredFault[] {
  return [...registry.values()]
}
