/**
 * Says whether a server does what the standard profile says where the document says nothing. Pure.
 *
 * @module
 */

/** @param held of an `observed` finding */
export function heldText(held: boolean | undefined): string {
  return `${held === true ? 'as' : 'not as'} in the standard profile`
}
