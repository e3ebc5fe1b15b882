/**
 * `conformance serve`: the reference server until Ctrl-C, with the suite's tables or one's own.
 *
 * @module
 */

import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { roleTables } from '../harness/embedded.ts'
import { ConfigurationError } from '../harness/errors.ts'
import { packageFacts } from '../harness/package-facts.ts'
import type { TargetFile } from '../harness/target-file.ts'
import { createReference } from '../reference/reference.ts'
import type { TableDefinition } from '../spec/table-definition.ts'
import { tableDefinitions } from '../spec/tables.ts'
import type { ServeFlags } from './serve-options.ts'

/** @returns the exit code, once the server has been stopped */
export async function serveCommand({ port = 0, data, prefix, readyFile }: ServeFlags): Promise<number> {
  const superuser = {
    email: 'superuser@conformance.example',
    password: randomBytes(18).toString('base64url'),
  }
  const tables = data === undefined ? tableDefinitions() : readTables(data)
  const reference = await createReference({
    tables,
    superusers: [superuser],
    ...(prefix === undefined ? {} : { prefix }),
  })
  const url = await listen(reference, port)
  const { name, version } = packageFacts()
  process.stdout.write(`${name} ${version}  reference at ${url}${prefix ?? '/api/v1'}\n`)
  if (readyFile === undefined)
    process.stdout.write(`superuser ${superuser.email} (use --ready-file to get the password)\n`)
  else {
    const token = await signIn(reference, url, prefix ?? '/api/v1', superuser)
    writeReadyFile(readyFile, {
      baseUrl: url,
      name: 'reference',
      profile: 'standard',
      ...(prefix === undefined ? {} : { prefix }),
      tables: data === undefined ? withoutRoles() : {},
      credentials: { superuser: { token } },
    })
    process.stdout.write(`target file ${readyFile}\n`)
  }
  await untilStopped()
  if (readyFile !== undefined) rmSync(readyFile, { force: true })
  await reference.close()
  return 0
}

type Reference = Awaited<ReturnType<typeof createReference>>

async function listen(reference: Reference, port: number): Promise<string> {
  try {
    const { url } = await reference.listen(port)
    return url
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ConfigurationError(
      `the server cannot listen (${code})`,
      `--port ${port}`,
      'name another port, or leave --port out for a free one',
    )
  }
}

async function signIn(
  reference: Reference,
  url: string,
  prefix: string,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const response = await reference.fetch(
    new Request(`${url}${prefix}/collections/_superusers/auth-with-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identity: email, password }),
    }),
  )
  const { token } = (await response.json()) as { token: string }
  return token
}

function withoutRoles(): NonNullable<TargetFile['tables']> {
  return Object.fromEntries(
    Object.entries(roleTables()).map(([role, { role: _role, ...table }]) => [role, table]),
  )
}

/** Secrets inside: readable by the owner only. */
function writeReadyFile(file: string, target: TargetFile): void {
  try {
    rmSync(file, { force: true })
    writeFileSync(file, `${JSON.stringify(target, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ConfigurationError(
      `the target file cannot be written (${code})`,
      `--ready-file ${file}`,
      'name a file in a folder that exists and can be written',
    )
  }
}

function readTables(file: string): TableDefinition[] {
  try {
    const content: unknown = parse(readFileSync(file, 'utf8'))
    const list = Array.isArray(content) ? content : (content as { tables?: unknown }).tables
    if (!Array.isArray(list)) throw new Error('it is neither a list of tables nor an object with "tables"')
    return list as TableDefinition[]
  } catch (error) {
    throw new ConfigurationError(
      `the table definitions cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      `--data ${file}`,
      'give a JSON or YAML file in the form of spec/tables.yaml, or an export of the living server family',
    )
  }
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
