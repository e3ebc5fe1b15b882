/**
 * Text for whether a server follows the standard profile where the document does not say. Pure.
 *
 * @module
 */

/** @param held of an `observed` finding */
export function heldText(held: boolean | undefined): string {
  return `${held === true ? 'as' : 'not as'} in the standard profile`
}
