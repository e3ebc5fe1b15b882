/**
 * `conformance init`: writes a target file for a server, each line explained.
 *
 * @module
 */

import { writeFileSync } from 'node:fs'
import { ConfigurationError } from '../harness/errors.ts'
import { packageFacts } from '../harness/package-facts.ts'
import { checkedUrl } from '../harness/target/base-url.ts'
import { discover } from '../harness/target/init.ts'

export interface InitFlags {
  baseUrl: string
  table?: string[]
  output: string
  force?: boolean
}

/** @returns the exit code */
export async function initCommand({ baseUrl, table = [], output, force }: InitFlags): Promise<number> {
  const { name, version } = packageFacts()
  const found = await discover(checkedUrl(baseUrl, '--base-url'), table)
  const tables = found.tables.map((each) => (each.auth ? `${each.name} (sign-in)` : each.name)).join(', ')
  if (output === '-') {
    process.stdout.write(found.text)
    return 0
  }
  try {
    writeFileSync(output, found.text, { flag: force === true ? 'w' : 'wx' })
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ConfigurationError(
      code === 'EEXIST' ? 'the file exists already' : `the target file cannot be written (${code})`,
      `--output ${output}`,
      code === 'EEXIST' ? 'name another file, or add --force' : 'name a file in a folder that can be written',
    )
  }
  process.stdout.write(
    [
      `${name} ${version}  ${output}`,
      `  prefix  ${found.prefix}`,
      `  tables  ${tables === '' ? 'none answered a guest' : tables}`,
      `  next    conformance doctor --target ${output}`,
      '',
    ].join('\n'),
  )
  return 0
}
