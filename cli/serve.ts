/**
 * `conformance serve`: the reference server until Ctrl-C, or until a command that uses it ends.
 *
 * @module
 */

import { randomInt } from 'node:crypto'
import { variableName } from '../exchange/secrets/variable-name.ts'
import { ConfigurationError, messageOf } from '../harness/errors.ts'
import { defined } from '../harness/support/defined.ts'
import { packageFacts } from '../harness/support/package-facts.ts'
import { apiKeysTableName } from '../reference/auth/api-keys.ts'
import { servicesOf } from '../reference/services-of.ts'
import { systemTables } from '../reference/tables/system.ts'
import { logLines } from '../serve/exchange-summary.ts'
import { execCommand } from '../serve/exec-command.ts'
import type { Responding } from '../serve/respond.ts'
import type { ServedData } from '../serve/served-data.ts'
import { type Serving, type ServingOptions, startServing } from '../serve/serving.ts'
import type { SuiteServices } from '../serve/suite-services.ts'
import { suiteTargetFile } from '../serve/target-file.ts'
import { contentOf, watchFile } from '../serve/watch-file.ts'
import { countOf } from '../spec/count-of.ts'
import { tableDefinitions } from '../spec/tables.ts'
import { newSuperuser } from './new-superuser.ts'
import { printLines } from './print-lines.ts'
import { readyFileAt } from './ready-file.ts'
import type { ServeFlags } from './serve-options.ts'
import { stoppedEarly, stopSignal, untilStopped } from './stop-signal.ts'

/** @returns the exit code, once the server has been stopped: 0, the code of the command, or 141 when no one reads our output */
export async function serveCommand(flags: ServeFlags): Promise<number> {
  const { data: file, readyFile, exec } = flags
  if (flags.watch && file === undefined) {
    throw new ConfigurationError('--watch needs a data file', '--watch', 'add --data FILE')
  }
  const stop = stopSignal()
  // Secrets inside: readable by the owner only.
  const ready = readyFile === undefined ? undefined : await readyFileAt(readyFile, 0o600)
  // Standard output is for what the command prints.
  const out = exec === undefined ? process.stdout : process.stderr
  const say = (line: string) => out.write(`${line}\n`)
  const superuser = newSuperuser()
  let serving: Serving
  // Loaded only with `--ready-file`: the mail sink and identity provider take time to start.
  const offered =
    readyFile !== undefined && file === undefined
      ? await (await import('../serve/suite-services.ts')).startSuiteServices(() => serving.reference)
      : undefined
  const stops: (() => unknown)[] = [() => offered?.close()]
  const known = flags.watch && file !== undefined ? contentOf(file) : undefined
  try {
    serving = await start(flags, superuser, offered)
  } catch (error) {
    await offered?.close()
    throw error
  }
  stops.unshift(() => serving.close())
  try {
    if (ready !== undefined) {
      const target = await suiteTargetFile(serving, superuser, file === undefined, offered?.hooks)
      ready.write(`${JSON.stringify(target, null, 2)}\n`)
      stops.unshift(() => ready.remove())
    }
    announce(serving, flags, superuser.email, (line) => printLines(out, [line]))
    if (flags.log) stops.unshift(serving.exchanges.follow((exchange) => say(logLines(exchange))))
    if (readyFile !== undefined) say(`target file ${readyFile}`)
    if (flags.watch && file !== undefined) {
      const failed = (error: unknown) => say(`error     while ${file} was watched: ${messageOf(error)}`)
      stops.unshift(watchFile(file, known, () => reload(serving, file, say), failed))
    }
    if (exec === undefined) return await untilStopped(stop)
    const environment = await environmentOf(serving, flags, superuser)
    return stop.aborted ? stoppedEarly(stop) : await execCommand(exec, environment)
  } finally {
    for (const end of stops) await end()
  }
}

type Superuser = ServingOptions['superuser']

async function start(
  flags: ServeFlags,
  superuser: Superuser,
  offered: SuiteServices | undefined,
): Promise<Serving> {
  const { port, data: file, prefix, clock, control } = flags
  const smtp = flags.smtp ?? offered?.smtp
  const data = file === undefined ? (offered?.data ?? suiteData()) : await (await dataFiles()).loadData(file)
  const handlers: ((serving: Serving) => Responding)[] = []
  if (flags.console) handlers.push((await import('../serve/console/create-console.ts')).createConsole)
  if (control) handlers.push((await import('../serve/control.ts')).createControl)
  if (flags.docs) handlers.push(await docsPage())
  try {
    return await startServing({
      data,
      superuser,
      seed: flags.seed ?? randomInt(2 ** 32),
      handlers,
      // No one else can read what is recorded.
      record: flags.console || control === true || flags.log === true,
      port,
      prefix,
      smtp,
      clock,
      ...(file !== undefined && { reread: async () => (await dataFiles()).loadData(file) }),
    })
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== 'listen') throw file === undefined ? error : (await dataFiles()).asDataError(error, file)
    throw new ConfigurationError(
      `the server cannot listen (${code})`,
      `--port ${port ?? 0}`,
      'use another port, or omit --port to use a free one',
    )
  }
}

/** @throws ConfigurationError if the page is not installed: it is larger than everything else here together */
async function docsPage(): Promise<(serving: Serving) => Responding> {
  const { createDocs, findSwaggerUi } = await import('../serve/docs/create-docs.ts')
  const folder = findSwaggerUi()
  if (folder !== undefined) return createDocs(folder)
  throw new ConfigurationError(
    'the documentation page needs the package swagger-ui-dist, which is not installed',
    '--docs',
    'install it with "npm install --save-dev --ignore-scripts swagger-ui-dist@5"',
  )
}

/** Loaded only for a data file: most servers have none. */
function dataFiles() {
  return import('../serve/load-data.ts')
}

function suiteData(): ServedData {
  return { tables: tableDefinitions(), records: {}, superusers: [], keys: [], inferred: [] }
}

function announce(
  serving: Serving,
  { data, readyFile, console, control, docs, exec }: ServeFlags,
  email: string,
  say: (line: string) => void,
): void {
  const { url, prefix, reference, seed } = serving
  const { name, version } = packageFacts()
  say(`${name} ${version}  reference at ${url}${prefix}`)
  if (console) say(`console   ${url}/_/`)
  if (control) say(`control   ${url}/_conformance/`)
  if (docs) say(`docs      ${url}/_docs/`)
  if (data !== undefined) say(`data      ${data}: ${contents(reference)}; changes are kept in memory only`)
  showNotices(serving, say)
  say(`seed      ${seed}`)
  const reported = readyFile !== undefined || exec !== undefined || process.env.CONFORMANCE_SUPERUSER_PASSWORD
  say(
    `superuser ${email}${reported ? '' : ' (use --ready-file to get a token, or set CONFORMANCE_SUPERUSER_PASSWORD)'}`,
  )
  if (readyFile === undefined && exec === undefined) showKeys(reference, say)
}

function showNotices({ notices }: Serving, say: (line: string) => void): void {
  for (const notice of notices) say(`notice    ${notice}`)
}

function showKeys({ apiKeys }: Serving['reference'], say: (line: string) => void): void {
  for (const { name, id, key } of apiKeys.initial) say(`api key   ${name || id}  ${key}`)
}

/** Tables that every server has; an application's own may be marked as system tables, too. */
const builtInTables = new Set([...systemTables.map(({ name }) => name), apiKeysTableName])

function contents(reference: Serving['reference']): string {
  const { store } = servicesOf(reference)
  const tables = [...store.current.tables()].filter(({ name }) => !builtInTables.has(name))
  const records = tables.reduce((sum, table) => sum + store.current.count(table), 0)
  return `${countOf(tables.length, 'table')}, ${countOf(records, 'record')}`
}

async function reload(serving: Serving, file: string, say: (line: string) => void): Promise<void> {
  const { asDataError, loadData } = await dataFiles()
  try {
    await serving.reload(await loadData(file))
    say(`reloaded  ${file}: ${contents(serving.reference)}`)
    showNotices(serving, say)
    showKeys(serving.reference, say)
  } catch (error) {
    const wrong = asDataError(error, file)
    say(`not reloaded, the current state is kept: ${messageOf(wrong)}`)
  }
}

/** What the command of `--exec` finds in its environment. */
async function environmentOf(
  serving: Serving,
  { control, readyFile }: ServeFlags,
  { email, password }: Superuser,
): Promise<Record<string, string>> {
  const { url, prefix, reference } = serving
  const target = await suiteTargetFile(serving, { email }, false)
  const keys = reference.apiKeys.initial.map(({ name, id, key }) => [
    `API_KEY_${variableName(name || id)}`,
    key,
  ])
  return {
    BASE_URL: url,
    API_URL: `${url}${prefix}`,
    CONFORMANCE_BASE_URL: url,
    CONFORMANCE_SUPERUSER_IDENTITY: email,
    CONFORMANCE_SUPERUSER_PASSWORD: password,
    CONFORMANCE_SUPERUSER_TOKEN: target.credentials?.superuser?.token ?? '',
    ...Object.fromEntries(keys),
    ...defined({
      CONTROL_URL: control ? `${url}/_conformance` : undefined,
      CONFORMANCE_TARGET: readyFile,
    }),
  }
}
