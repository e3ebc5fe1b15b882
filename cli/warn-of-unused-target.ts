import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { printLines } from './print-lines.ts'

/** As `conformance init` and the pages call it. */
const names = ['yaml', 'yml', 'json'].map((ending) => `conformance.target.${ending}`)

/**
 * Warns on standard error if no target is named and the folder has a target file: the embedded reference is tested
 * then, and its verdict is easily mistaken for the verdict on the server.
 */
export function warnOfUnusedTarget(flags: { target?: string; baseUrl?: string }): void {
  if (flags.target !== undefined || flags.baseUrl !== undefined) return
  const found = names.find((name) => existsSync(resolve(name)))
  if (found === undefined) return
  printLines(process.stderr, [
    `${found} is not used: the target is the embedded reference. Add --target ${found} to test your server.`,
  ])
}
