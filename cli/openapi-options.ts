/**
 * The options of `conformance openapi`.
 *
 * @module
 */

import type { FlagsOf } from './flags-of.ts'
import { once, oneOf, pathPrefix } from './parse-option.ts'
import type { OptionRow } from './run-options.ts'

export const openApiOptionRows = [
  {
    flags: '--tables <file>',
    group: 'Tables',
    description:
      'table definitions (JSON or YAML): an export, a list, or a data file of serve (default: the tables of the suite)',
    more: 'An export comes from the living server family.',
    parse: once,
  },
  {
    flags: '--base-url <url>',
    group: 'Tables',
    description: 'read the tables from this server, with the superuser credentials in the environment',
    more: 'For servers of the living family. Credentials: `CONFORMANCE_SUPERUSER_TOKEN`, or `CONFORMANCE_SUPERUSER_IDENTITY` and `CONFORMANCE_SUPERUSER_PASSWORD`.',
    parse: once,
  },
  {
    flags: '--prefix <path>',
    group: 'Tables',
    description: 'path prefix of the server (default: /api/v1)',
    more: 'Servers of the living family have `/api`.',
    parse: pathPrefix,
  },
  {
    flags: '--paths <form>',
    group: 'Description',
    description: 'enum (default): {table} is one of the tables; per-table: paths for each table',
    parse: oneOf('enum', 'per-table'),
  },
  {
    flags: '--profile <name>',
    group: 'Description',
    description:
      'profile to include: standard (default), recommended (same output), or none (same as --document-only)',
    parse: oneOf('standard', 'recommended', 'none'),
  },
  { flags: '--document-only', group: 'Description', description: 'describe only what the document says' },
  {
    flags: '--openapi <version>',
    group: 'Description',
    description: '3.1 (default), or 3.0 for tools that do not read 3.1',
    parse: oneOf('3.1', '3.0'),
  },
  {
    flags: '--format <format>',
    group: 'Output',
    description: 'yaml or json (default: that of the output file, or yaml)',
    parse: oneOf('yaml', 'json'),
  },
  {
    flags: '--output <file>',
    group: 'Output',
    description: 'file to write, or - for stdout (default: -)',
    parse: once,
  },
  {
    flags: '--server <url>',
    group: 'Description',
    description: 'URL of the server in the description (default: /)',
    parse: once,
  },
  { flags: '--title <text>', group: 'Description', description: 'title of the description', parse: once },
  { flags: '--system', group: 'Tables', description: 'also describe system tables' },
] as const satisfies readonly OptionRow[]

/** Examples and other text after the options in the help. */
export const openApiHelp = [
  'Examples:',
  '  conformance openapi --tables export.json --output openapi.yaml',
  '  conformance openapi --tables export.json --paths per-table --format json | jq .paths',
  '  conformance openapi --base-url http://127.0.0.1:8090 --prefix /api --output openapi.yaml',
  '  conformance openapi --tables export.json --openapi 3.0 --paths per-table --output openapi.json',
  '',
  'The same tables always give the same file: commit it, and its diff shows the effect of each change to the tables.',
  'Credentials for --base-url: CONFORMANCE_SUPERUSER_TOKEN, or CONFORMANCE_SUPERUSER_IDENTITY and CONFORMANCE_SUPERUSER_PASSWORD.',
]

export type OpenApiFlags = FlagsOf<typeof openApiOptionRows>
