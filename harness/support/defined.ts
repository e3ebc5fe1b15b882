type Optional<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T]

/** `T` with optional keys where the values may be undefined. */
type Defined<T> = Omit<T, Optional<T>> & { [Key in Optional<T>]?: Exclude<T[Key], undefined> }

/**
 * Removes the keys whose value is undefined: for values that users compare, and for values that are spread over others.
 */
export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>
}
