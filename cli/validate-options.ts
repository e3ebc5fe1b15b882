/**
 * The options of `conformance validate` and `conformance proxy`.
 *
 * @module
 */

import type { CoverageFloor } from '../validate/coverage/create-coverage.ts'
import type { FlagsOf } from './flags-of.ts'
import { integer, once, oneOf, pathPrefix } from './parse-option.ts'
import { type OptionRow, reportRow } from './run-options.ts'

export const failUnderRow = {
  flags: '--fail-under <percent>',
  group: 'Coverage',
  description: 'minimum coverage of statuses, or operations=80,statuses=30,requirements=50',
  parse: floor,
} as const satisfies OptionRow

const commonRows = [
  {
    flags: '--tables <file>',
    group: 'Validation',
    description: 'table definitions (JSON or YAML), to check fields by type',
    parse: once,
  },
  {
    flags: '--profile <name>',
    group: 'Validation',
    description:
      'profile that the server claims: standard, or none (default), to count only what the document says',
    parse: oneOf('standard', 'none'),
  },
  {
    flags: '--prefix <path>',
    group: 'Validation',
    description: 'path prefix (default: /api/v1)',
    parse: pathPrefix,
  },
  {
    flags: '--strict',
    group: 'Validation',
    description: 'also count SHOULD violations, unknown keys and unvalidated bodies',
  },
  {
    flags: '--coverage <file>',
    group: 'Coverage',
    description: "write coverage as JSON, merged with the file's existing coverage",
    parse: once,
  },
  failUnderRow,
  { ...reportRow, group: 'Output' },
] as const satisfies readonly OptionRow[]

/** Of both commands. */
export type CommonFlags = FlagsOf<typeof commonRows>

export const validateOptionRows = [
  ...commonRows,
  {
    flags: '--request <what>',
    group: 'Validation',
    description: 'the request, for curl output that does not contain it: "GET /api/v1/..."',
    parse: request,
  },
  {
    flags: '--host <name>',
    group: 'Validation',
    description:
      'validate only the traffic of this host, with or without its port; repeatable (default: all)',
    more: 'A base URL such as `https://api.example.com` works too.',
    parse: host,
  },
  { flags: '--json', group: 'Output', description: 'print one JSON object per line for each exchange' },
  {
    flags: '--most <number>',
    group: 'Output',
    description: 'maximum number of findings to show (default: 20)',
    parse: integer(0, 1_000_000),
  },
] as const satisfies readonly OptionRow[]

export type ValidateFlags = FlagsOf<typeof validateOptionRows>

export const proxyOptionRows = [
  {
    flags: '--upstream <url>',
    group: 'Proxy',
    description: 'server to forward requests to (required)',
    parse: once,
  },
  {
    flags: '--port <number>',
    group: 'Proxy',
    description: 'port on 127.0.0.1 (default: a free one)',
    parse: integer(0, 65_535),
  },
  {
    flags: '--mode <mode>',
    group: 'Proxy',
    description:
      'report (default): stream unchanged; mark: add x-conformance; fail: respond with 502 instead',
    more: '`mark` and `fail` buffer each response until it is validated.',
    parse: oneOf('report', 'mark', 'fail'),
  },
  {
    flags: '--har <file>',
    group: 'Output',
    description: 'record the exchanges, with secrets redacted',
    more: 'An earlier recording is overwritten once the proxy listens.',
    parse: once,
  },
  {
    flags: '--ready-file <file>',
    group: 'Proxy',
    description: 'write the URL to this file when the proxy listens',
    more: 'Only another ready file is overwritten.',
    parse: once,
  },
  { flags: '--quiet', group: 'Output', description: 'show findings in the summary only' },
  ...commonRows,
] as const satisfies readonly OptionRow[]

export type ProxyFlags = FlagsOf<typeof proxyOptionRows>

function request(text: string): { method: string; url: string } {
  const [, method, url] = /^([A-Za-z]+) (\S+)$/.exec(text.trim()) ?? []
  if (method === undefined || url === undefined)
    throw new Error('must be a method and a path, such as "GET /api/v1/..."')
  return { method: method.toUpperCase(), url }
}

function host(text: string, previous: unknown): string[] {
  const address = /^https?:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || url.username !== '')
    throw new Error('must be a host such as api.example.com or 127.0.0.1:8090')
  if (url.pathname !== '/' || url.search !== '')
    throw new Error('must not contain a path: use --prefix for the path prefix')
  return [...((previous as string[] | undefined) ?? []), url.host]
}

function floor(text: string): CoverageFloor {
  const found: Record<string, number> = {}
  for (const part of text.split(',')) {
    const [, name = 'statuses', number] =
      /^\s*(?:(operations|statuses|parameters|actors|requirements)=)?(\d+(?:\.\d+)?)%?\s*$/.exec(part) ?? []
    if (number === undefined || Number(number) > 100)
      throw new Error(
        'must be a number up to 100, or operations=..,statuses=..,parameters=..,actors=..,requirements=..',
      )
    found[name] = Number(number)
  }
  return found
}
