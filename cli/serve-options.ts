/**
 * The options of `conformance serve`.
 *
 * @module
 */

import { bareHost } from '../exchange/bare-host.ts'
import type { FlagsOf } from './flags-of.ts'
import { integer, once, pathPrefix } from './parse-option.ts'
import type { OptionRow } from './run-options.ts'

const port = integer(0, 65_535)

export const serveOptionRows = [
  {
    flags: '--port <number>',
    group: 'Process',
    description: 'port on 127.0.0.1 (default: a free one)',
    parse: port,
  },
  {
    flags: '--data <file>',
    group: 'Data',
    description:
      'initial data: tables, records, superusers, API keys and settings, plain rows by table, or an exported state (JSON or YAML; default: the tables of the suite)',
    more: 'See [the data file](#the-data-file).',
  },
  {
    flags: '--watch',
    group: 'Data',
    description: 'reload when the data file changes; an invalid file is reported and ignored',
  },
  {
    flags: '--prefix <path>',
    group: 'Data',
    description: 'path prefix (default: /api/v1)',
    more: 'The official client of the living server family needs `/api`.',
    parse: prefix,
  },
  {
    flags: '--ready-file <file>',
    group: 'Process',
    description: 'write a target file when the server is ready, and remove it at the end',
    more: 'It contains a superuser token and the API keys.',
  },
  {
    flags: '--exec <command>',
    group: 'Process',
    description: 'run a command with BASE_URL in its environment, and exit with its exit code',
    more: 'The server stops when the command ends.',
    parse: once,
  },
  {
    flags: '--smtp <host:port>',
    group: 'For tests',
    description: 'also send emails to this SMTP server',
    parse: smtp,
  },
  {
    flags: '--clock <time>',
    group: 'For tests',
    description: 'initial time, such as 2030-01-31T12:00:00Z',
    more: "The server's clock runs on from there.",
    parse: time,
  },
  {
    flags: '--seed <number>',
    group: 'For tests',
    description: 'make ids, codes and token keys reproducible',
    more: 'Without it, the seed is random, and is printed.',
    parse: integer(0, Number.MAX_SAFE_INTEGER),
  },
  {
    flags: '--log',
    group: 'Output',
    description:
      'print a line for each request, with the reason if it was rejected, or a hint if it probably contains a mistake',
  },
  {
    flags: '--control',
    group: 'For tests',
    description:
      'enable /_conformance/...: state, records, reset, snapshots, clock, tokens, API keys, faults, emails (this machine only)',
    more: 'See [the control endpoints](#the-control-endpoints).',
  },
  {
    flags: '--docs',
    group: 'Pages',
    description:
      'enable a page at /_docs/ that shows the OpenAPI description of the tables and sends requests (needs swagger-ui-dist)',
    more: 'See [the page](openapi.md#a-page-to-try-requests).',
  },
  {
    flags: '--no-console',
    group: 'Pages',
    description: 'disable the console page at /_/',
    more: 'See [the console](console.md).',
  },
] as const satisfies readonly OptionRow[]

export type ServeFlags = FlagsOf<typeof serveOptionRows>

function prefix(text: string): string {
  const path = pathPrefix(text)
  if (/^\/(_|_conformance|_docs)(\/|$)/.test(path))
    throw new Error('must not be a path of the console, the control endpoints or the documentation page')
  return path
}

function smtp(text: string): { host: string; port: number } {
  const [, host, number] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(text) ?? []
  if (host === undefined || number === undefined)
    throw new Error('must be a host and a port, such as 127.0.0.1:1025')
  return { host: bareHost(host), port: port(number) }
}

function time(text: string): string {
  const value = new Date(text)
  if (Number.isNaN(value.getTime())) throw new Error('must be a time such as 2030-01-31T12:00:00Z')
  return value.toISOString()
}
