/**
 * Detects properties added to or removed from built-in prototypes.
 *
 * @module
 */

const watched = { Object, Array, Function, String, Number, Map, Set, Promise, Request, Response, Headers }

function shapes(): Map<string, string> {
  return new Map(
    Object.entries(watched).map(([name, { prototype }]) => [
      name,
      Reflect.ownKeys(prototype as object)
        .map(String)
        .join(),
    ]),
  )
}

/** @returns says what has changed, once for each change */
export function createPrototypeWatch(): () => string[] {
  let before = shapes()
  return () => {
    const now = shapes()
    const changed = [...now].filter(([name, keys]) => before.get(name) !== keys).map(([name]) => name)
    before = now
    return changed.map((name) => `the prototype of ${name} was changed`)
  }
}
