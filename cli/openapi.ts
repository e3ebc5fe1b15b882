/**
 * `conformance openapi`: writes an OpenAPI description of tables, for a file that is committed.
 *
 * @module
 */

import { ConfigurationError, messageOf, unwritable } from '../harness/errors.ts'
import { rewriteWhole } from '../harness/support/write-whole.ts'
import { createAdmin, listTables } from '../harness/target/admin.ts'
import { checkedUrl } from '../harness/target/checked-url.ts'
import { describeTables } from '../openapi/describe-tables.ts'
import { tablesIn } from '../openapi/tables-in.ts'
import type { Description, ExportedTable } from '../openapi/vocabulary.ts'
import { writeDescription } from '../openapi/write-description.ts'
import { documentPrefix } from '../spec/prefix.ts'
import { tableDefinitions } from '../spec/tables.ts'
import type { OpenApiFlags } from './openapi-options.ts'
import { readTableFile } from './table-file.ts'

/** @returns the exit code */
export async function openApiCommand(flags: OpenApiFlags): Promise<number> {
  const { output = '-' } = flags
  const { tables, place } = await readTables(flags)
  const text = writeDescription(describe(tables, place, flags), formatOf(flags))
  if (output === '-') {
    process.stdout.write(text)
    return 0
  }
  try {
    rewriteWhole(output, text)
  } catch (error) {
    throw unwritable('the description', `--output ${output}`, error)
  }
  return 0
}

function formatOf({ format, output = '-' }: OpenApiFlags): 'yaml' | 'json' {
  return format ?? (/\.json$/i.test(output) ? 'json' : 'yaml')
}

interface Source {
  tables: readonly ExportedTable[]
  /** For messages. */
  place: string
}

async function readTables({ tables: file, baseUrl, prefix }: OpenApiFlags): Promise<Source> {
  if (file !== undefined && baseUrl !== undefined)
    throw new ConfigurationError(
      'there are two sources of tables',
      `--tables ${file} --base-url`,
      'use one of the two options',
    )
  if (baseUrl !== undefined) return fromServer(baseUrl, prefix ?? documentPrefix)
  return file === undefined ? { tables: tableDefinitions(), place: 'spec/tables.yaml' } : fromFile(file)
}

async function fromFile(file: string): Promise<Source> {
  return { tables: await readTableFile(file, (table) => table), place: `--tables ${file}` }
}

async function fromServer(given: string, prefix: string): Promise<Source> {
  const baseUrl = checkedUrl(given, '--base-url')
  const place = `${baseUrl}${prefix}/collections`
  const admin = await createAdmin({ baseUrl, prefix, environment: process.env })
  if (admin === undefined)
    throw new ConfigurationError(
      'no superuser credentials are set, and only superusers can read tables',
      '--base-url',
      'set CONFORMANCE_SUPERUSER_TOKEN, or CONFORMANCE_SUPERUSER_IDENTITY and CONFORMANCE_SUPERUSER_PASSWORD',
    )
  try {
    return { tables: tablesIn(await listTables(admin)), place }
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw new ConfigurationError(
      `the server does not show its tables: ${messageOf(error)}`,
      place,
      'check the credentials and --prefix (for the living server family --prefix /api), or export the tables and use --tables FILE. The server of "conformance serve" describes itself: start it with "serve --docs", and read /_docs/openapi.json',
    )
  }
}

function describe(tables: readonly ExportedTable[], place: string, flags: OpenApiFlags): Description {
  const { profile, documentOnly, paths, openapi, prefix, server, title, system } = flags
  if (documentOnly && profile !== undefined && profile !== 'none')
    throw new ConfigurationError(
      'the profile is both requested and excluded',
      `--document-only --profile ${profile}`,
      'use one of the two options',
    )
  try {
    return describeTables(tables, {
      documentOnly: documentOnly === true || profile === 'none',
      paths,
      openapi,
      prefix,
      server,
      title,
      system,
    })
  } catch (error) {
    throw new ConfigurationError(
      `the tables cannot be described: ${messageOf(error)}`,
      place,
      'correct the table definitions',
    )
  }
}
