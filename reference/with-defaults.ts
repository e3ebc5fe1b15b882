/** Some members of `T`. A member that is undefined means its default, as one that is left out does. */
export type SomeOf<T> = { [Key in keyof T]?: T[Key] | undefined }

/** The given members, and the defaults of the others. */
export function withDefaults<T extends object>(defaults: T, given: SomeOf<T> = {}): T {
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(chosen) }
}
