/**
 * The options of `conformance serve`.
 *
 * @module
 */

import type { OptionRow } from './run-options.ts'

export const serveOptionRows: readonly OptionRow[] = [
  { flags: '--port <number>', description: 'port on 127.0.0.1 (default: a free one)', parse: port },
  {
    flags: '--data <file>',
    description: 'table definitions to serve instead of those of the suite (JSON or YAML)',
  },
  { flags: '--prefix <path>', description: 'path prefix (default: /api/v1)' },
  {
    flags: '--ready-file <file>',
    description: 'write a target file once the server answers; removed at the end',
  },
]

export interface ServeFlags {
  port?: number
  data?: string
  prefix?: string
  readyFile?: string
}

function port(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > 65_535) throw new Error('must be a number from 0 to 65535')
  return value
}
