/**
 * Reads the data file of `conformance serve --data FILE`.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { ConfigurationError } from '../harness/errors.ts'
import { docsPage } from '../harness/support/package-facts.ts'
import { syntaxMistake } from '../harness/support/syntax-mistake.ts'
import { readShapeInTurns } from './read-shape.ts'
import type { ServedData } from './served-data.ts'

const next = () => `see "The data file" in ${docsPage('serve.md')}`

/** @throws ConfigurationError that names the file, the place in it and the next step */
export async function loadData(file: string): Promise<ServedData> {
  const place = `--data ${file}`
  if (/\.[cm]?[jt]sx?$/i.test(file))
    throw new ConfigurationError(
      'a data file is JSON or YAML, not a module',
      place,
      'write what the module exports to a file: JSON.stringify({ tables, records })',
    )
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ConfigurationError(`the data file cannot be read (${code})`, place, 'correct the path')
  }
  // Some editors write a byte order mark at the start of a file.
  const content = await parseText(text.replace(/^\ufeff/, ''), file)
  try {
    return await readShapeInTurns(content)
  } catch (error) {
    throw new ConfigurationError(`the data file cannot be used: ${messageOf(error)}`, place, next())
  }
}

/** Reports errors of the reference about a data file as errors in the file. */
export function asDataError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof ConfigurationError) return error
  return new ConfigurationError(`the data file cannot be used: ${messageOf(error)}`, `--data ${file}`, next())
}

async function parseText(text: string, file: string): Promise<unknown> {
  try {
    return /\.json$/i.test(file) ? JSON.parse(text) : (await import('yaml')).parse(text)
  } catch (error) {
    throw syntaxMistake('the data file', `--data ${file}`, text, error)
  }
}

/** Joins lines with semicolons below a heading, and with spaces otherwise. */
function oneLine(message: string): string {
  const [first = '', ...rest] = message.trim().split(/\s*\n\s*/)
  const text = first.endsWith(':')
    ? `${first} ${rest.join('; ').replaceAll(':; ', ': ')}`
    : [first, ...rest].join(' ')
  return text.replace(/[.:]$/, '')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? oneLine(error.message) : String(error)
}
