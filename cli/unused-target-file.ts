import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** As `conformance init` and the pages call it. */
const names = ['yaml', 'yml', 'json'].map((ending) => `conformance.target.${ending}`)

/**
 * A warning where no target is named and the folder has a target file: the embedded reference is tested then, and its
 * verdict is easily taken for that of the server.
 */
export function unusedTargetFile(flags: { target?: string; baseUrl?: string }): string | undefined {
  if (flags.target !== undefined || flags.baseUrl !== undefined) return undefined
  const found = names.find((name) => existsSync(resolve(name)))
  return (
    found &&
    `${found} is not used: the target is the embedded reference. Add --target ${found} to test your server.`
  )
}
