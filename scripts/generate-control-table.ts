/**
 * Writes the control endpoints into `docs/serve.md`, between two marks, from `serve/operations.ts`: `npm run generate`.
 *
 * @module
 */

import { readFile, writeFile } from 'node:fs/promises'
import type { ControlBodyKey, ServeOperation } from '../serve/operation.ts'
import { controlOperations } from '../serve/operations.ts'

const page = new URL('../docs/serve.md', import.meta.url)
const begin = '<!-- Written by `npm run generate` from serve/operations.ts: do not edit. -->\n'
const end = '<!-- End of the generated part. -->\n'

/** The page with the table as it should be. @throws Error if a mark is missing */
export function withControlTable(text: string): string {
  const [before, rest] = text.split(begin)
  const [, after] = rest?.split(end) ?? []
  if (before === undefined || after === undefined)
    throw new Error(`docs/serve.md needs the lines ${begin} and ${end}`)
  return `${before}${begin}\n${controlTable()}\n${end}${after}`
}

export function servePage(): Promise<string> {
  return readFile(page, 'utf8')
}

function controlTable(): string {
  const shown = controlOperations.filter(({ groups }) => groups.includes('control'))
  const rows = shown.map(
    (each) => `| \`${each.method} /_conformance/${each.path}\` | ${inputOf(each)} | ${each.returns} |`,
  )
  const keys = shown.flatMap(({ method, path, body, query }) => [
    ...Object.entries(query ?? {}).map(
      ([name, { says }]) => `| \`${method} ${path}\` | \`${name}\` | ${capital(says)} |`,
    ),
    ...Object.entries(body ?? {}).map(
      ([name, key]) => `| \`${method} ${path}\` | \`${name}\` | ${capital(key.says)}${presence(key)} |`,
    ),
  ])
  return [
    '| request | body, or query | response |',
    '| ------- | -------------- | -------- |',
    ...rows,
    '',
    '| of      | key or parameter | meaning |',
    '| ------- | ---------------- | ------- |',
    ...keys,
    '',
  ].join('\n')
}

/** `{ table, id?, kind? }`, or `?to=&kind=`. */
function inputOf({ body = {}, query = {}, content }: ServeOperation): string {
  if (content !== undefined) return content
  const parameters = Object.keys(query)
  if (parameters.length > 0) return `\`?${parameters.map((name) => `${name}=`).join('&')}\``
  const keys = Object.entries(body).map(([name, { required }]) => (required === true ? name : `${name}?`))
  return keys.length === 0 ? '' : `\`{ ${keys.join(', ')} }\``
}

function presence({ required }: ControlBodyKey): string {
  if (required === undefined) return ''
  return required === true ? '. Required' : `. Required without \`${required}\``
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  await writeFile(page, withControlTable(await servePage()))
