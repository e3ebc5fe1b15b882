/** What `scripts/compile-validators.ts` writes beside this file. Loads nothing and evaluates no text as code. */

export interface ShapeError {
  /** JSON pointer of the value that is wrong. */
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
