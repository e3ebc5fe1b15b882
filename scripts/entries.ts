/**
 * The entries of the package, as `exports` of package.json names them.
 *
 * @module
 */

import { readFileSync } from 'node:fs'

export interface Entry {
  /** As users import it: `record-auth-conformance/reference`. */
  name: string
  /** Path of its source, from the root of the project: `reference/reference.ts`. */
  source: string
}

interface PackageFile {
  name: string
  exports: Record<string, string | { types: string }>
}

const { name: packageName, exports } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as PackageFile

/** All entries with types. */
export const entries: readonly Entry[] = Object.entries(exports).flatMap(([path, target]) =>
  typeof target === 'string'
    ? []
    : [
        {
          name: packageName + path.slice(1),
          source: target.types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts'),
        },
      ],
)
