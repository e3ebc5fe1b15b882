/** What `scripts/compile-validators.ts` writes next to this file. Loads nothing and evaluates no string as code. */

export interface ShapeError {
  /** JSON pointer to the invalid value. */
  instancePath: string
  keyword: string
  params: Record<string, unknown>
}

/** Stops at the first error. `errors` is set as long as nothing else is checked. */
export interface ShapeCheck {
  (value: unknown): boolean
  errors?: ShapeError[] | null
}

/** The checks of `spec/table.schema.json`, `spec/data.schema.json` and `spec/state.schema.json`. */
export function shapes(
  formats: Readonly<Record<string, (text: string) => boolean>>,
  textLength: (text: string) => number,
): Record<'table' | 'data' | 'state', ShapeCheck>
