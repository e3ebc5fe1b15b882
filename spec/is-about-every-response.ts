/**
 * Whether a requirement is about every response, whatever its operation. Its check does not depend on the operations that
 * a server lacks: it holds for those that exist, and for the response of a path at which there is nothing.
 *
 * @param id of the requirement
 */
export function isAboutEveryResponse(id: string): boolean {
  return id.startsWith('wire.')
}
