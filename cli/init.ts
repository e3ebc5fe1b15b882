/**
 * `conformance init`: explores a server as a run does, and writes what it learned to a target file, each line explained.
 *
 * @module
 */

import { existsSync, writeFileSync } from 'node:fs'
import { visibleLine } from '../exchange/visible.ts'
import { ConfigurationError, unwritable } from '../harness/errors.ts'
import { usedAs } from '../harness/explore/discover.ts'
import { exploreServer } from '../harness/explore/explore-server.ts'
import { targetText } from '../harness/explore/target-text.ts'
import { packageFacts } from '../harness/support/package-facts.ts'
import { expectWritable } from '../harness/support/write-whole.ts'
import { checkedUrl } from '../harness/target/checked-url.ts'
import { printLines } from './print-lines.ts'
import type { RunFlags } from './run-options.ts'
import { withProgress } from './with-progress.ts'

export interface InitFlags
  extends Pick<RunFlags, 'prefix' | 'table' | 'timeout' | 'readOnly' | 'allowRemoteWrites' | 'header'> {
  baseUrl: string
  output: string
  force?: boolean
}

/** @returns the exit code */
export async function initCommand({
  baseUrl,
  table = [],
  output,
  force,
  header,
  ...sending
}: InitFlags): Promise<number> {
  const { name, version } = packageFacts()
  if (output !== '-') expectPlace(output, force === true)
  const address = checkedUrl(baseUrl, '--base-url')
  const explored = await withProgress('exploring the server', (onStep) =>
    exploreServer({ ...sending, baseUrl: address, names: table, headers: header, onStep }),
  )
  const text = targetText(explored)
  if (output === '-') {
    process.stdout.write(text)
    return 0
  }
  try {
    writeFileSync(output, text, { flag: force === true ? 'w' : 'wx' })
  } catch (error) {
    throw noPlace(output, error)
  }
  const { target, found, notes, leftovers } = explored
  const tables = found.map(({ name, auth }) => (auth ? `${name} (sign-in)` : name)).join(', ')
  const used = Object.values(target.tables).map(usedAs).join(', ')
  printLines(
    process.stdout,
    [
      `${name} ${version}  ${output}`,
      `  prefix  ${target.binding.prefix}`,
      `  tables  ${tables === '' ? 'none that a guest can list' : tables}`,
      ...(used === '' ? [] : [`  roles   ${used}`]),
      ...notes.filter((note) => !isRepeated(note)).map((note) => `  note    ${note}`),
      ...leftovers.map(({ table, id, reason }) => `  left    ${table}/${id}: ${reason}`),
      `  next    conformance doctor --target ${output}`,
    ].map(visibleLine),
  )
  return 0
}

/** Whether another line says it. */
function isRepeated(note: string): boolean {
  return /^(uses|found the tables|the path prefix is) /.test(note)
}

function expectPlace(output: string, force: boolean): void {
  try {
    expectWritable(output)
    if (!force && existsSync(output)) throw Object.assign(new Error('a file'), { code: 'EEXIST' })
  } catch (error) {
    throw noPlace(output, error)
  }
}

function noPlace(output: string, error: unknown): ConfigurationError {
  const { code } = error as NodeJS.ErrnoException
  const flag = `--output ${output}`
  if (code === 'EISDIR') return new ConfigurationError('the path is a folder', flag, 'use a file in it')
  if (code === 'EEXIST')
    return new ConfigurationError('the file already exists', flag, 'use another file, or add --force')
  return unwritable('the target file', flag, error)
}
