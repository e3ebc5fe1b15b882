/**
 * Capabilities that consist of whole operations. The others are about what several operations do. Pure.
 *
 * @module
 */

import type { OperationId } from './vocabulary.ts'

/** Operations that a capability consists of. */
export const capabilityOperations: Readonly<Record<string, readonly OperationId[]>> = {
  batch: ['batch'],
  otp: ['requestOtp', 'authWithOtp'],
  oauth2: ['authWithOAuth2'],
  impersonation: ['impersonate'],
}

/** Id of the requirement that an operation exists: `operation.auth-with-otp`. */
export function existenceOf(operation: OperationId): string {
  const words = operation
    .replace('OAuth2', 'Oauth2')
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return `operation.${words}`
}

/** Whether a requirement says that an operation exists. */
export function isExistence(id: string): boolean {
  return id.startsWith('operation.')
}
