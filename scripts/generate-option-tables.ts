/**
 * Writes the options of `serve`, `openapi`, `validate` and `proxy` into their pages, between two marks, from the rows
 * that the command line and its help are made of: `npm run generate`.
 *
 * @module
 */

import { readFile, writeFile } from 'node:fs/promises'
import { openApiOptionRows } from '../cli/openapi-options.ts'
import type { OptionRow } from '../cli/run-options.ts'
import { serveOptionRows } from '../cli/serve-options.ts'
import { proxyOptionRows, validateOptionRows } from '../cli/validate-options.ts'

interface OptionTable {
  command: string
  /** File in `docs/`. */
  page: string
  rows: readonly OptionRow[]
}

export const optionTables: readonly OptionTable[] = [
  { command: 'serve', page: 'serve.md', rows: serveOptionRows },
  { command: 'openapi', page: 'openapi.md', rows: openApiOptionRows },
  { command: 'validate', page: 'validate.md', rows: validateOptionRows },
  { command: 'proxy', page: 'validate.md', rows: proxyOptionRows },
]

/** A page with the table of a command as it should be. @throws Error if a mark is missing */
export function withOptionTable(text: string, { command, page, rows }: OptionTable): string {
  const begin = `<!-- Options of ${command}. Written by \`npm run generate\` from cli/: do not edit. -->\n`
  const end = `<!-- End of the options of ${command}. -->\n`
  const [before, rest] = text.split(begin)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined)
    throw new Error(`docs/${page} needs the lines ${begin} and ${end}`)
  return `${before}${begin}\n${tableOf(rows)}\n\n${end}${after}`
}

export function optionPage(page: string): Promise<string> {
  return readFile(fileOf(page), 'utf8')
}

function tableOf(rows: readonly OptionRow[]): string {
  const lines = rows.map(({ flags, description, more, standard }) => {
    const text = standard === undefined ? description : `${description} (default: ${standard})`
    return `| \`${flags}\` | ${escaped(more === undefined ? text : `${text}. ${more}`)} |`
  })
  return ['| option | meaning |', '| ------ | ------- |', ...lines].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|')
}

function fileOf(page: string): URL {
  return new URL(`../docs/${page}`, import.meta.url)
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  for (const table of optionTables)
    await writeFile(fileOf(table.page), withOptionTable(await optionPage(table.page), table))
