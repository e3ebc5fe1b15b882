/**
 * `conformance init`: writes a target file for a server, each line explained.
 *
 * @module
 */

import { existsSync, writeFileSync } from 'node:fs'
import { ConfigurationError, unwritable } from '../harness/errors.ts'
import { discover, usedAs } from '../harness/explore/discover.ts'
import { targetText } from '../harness/explore/target-text.ts'
import { packageFacts } from '../harness/package-facts.ts'
import { checkedUrl } from '../harness/target/base-url.ts'
import { expectWritable } from '../harness/write-whole.ts'

export interface InitFlags {
  baseUrl: string
  table?: string[]
  output: string
  force?: boolean
}

/** @returns the exit code */
export async function initCommand({ baseUrl, table = [], output, force }: InitFlags): Promise<number> {
  const { name, version } = packageFacts()
  if (output !== '-') expectPlace(output, force === true)
  const address = checkedUrl(baseUrl, '--base-url')
  const discovery = await discover(address, { names: table })
  const text = targetText(address, discovery)
  if (output === '-') {
    process.stdout.write(text)
    return 0
  }
  try {
    writeFileSync(output, text, { flag: force === true ? 'w' : 'wx' })
  } catch (error) {
    throw noPlace(output, error)
  }
  const tables = discovery.found.map(({ name, auth }) => (auth ? `${name} (sign-in)` : name)).join(', ')
  const used = Object.values(discovery.tables).map(usedAs).join(', ')
  process.stdout.write(
    [
      `${name} ${version}  ${output}`,
      `  prefix  ${discovery.prefix}`,
      `  tables  ${tables === '' ? 'none that a guest can list' : tables}`,
      ...(used === '' ? [] : [`  roles   ${used}`]),
      `  next    conformance doctor --target ${output}`,
      '',
    ].join('\n'),
  )
  return 0
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
