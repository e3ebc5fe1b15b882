/**
 * Runs all checks of the document on complete servers that differ in what the document leaves open, and that claim
 * nothing: no check may fail. It is to the matrix of variations what whole servers are to single decisions; these servers
 * share no line with the reference.
 *
 * @module
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { runInProcess } from '../../../harness/engine/run-in-process.ts'
import { checkNotApplicable, withNotApplicable } from '../../../harness/judging/not-applicable.ts'
import { verdictOf } from '../../../harness/judging/verdict.ts'
import { planChecks } from '../../../harness/planning/plan.ts'
import { loadSuites } from '../../../harness/planning/suites.ts'
import { startServices } from '../../../harness/target/start-services.ts'
import { targetOf } from '../../../harness/target/target-file.ts'
import type { Finding, Status } from '../../../harness/vocabulary/finding.ts'
import { loadRequirements } from '../../../spec/requirements.ts'
import { lawfulServers } from './registry.ts'
import type { LawfulServer } from './server.ts'

export interface ServerRow {
  name: string
  /** What `conformance` would exit with. */
  exitCode: number
  lines: readonly string[]
  findings: readonly Finding[]
  /** Exceptions of ours, and why the run ended early. */
  errors: string[]
  requests: number
  ms: number
}

export interface ServersOptions {
  /** @default 1 */
  seed?: number
  /** Only servers whose names contain one of these. @default all */
  texts?: readonly string[]
  /** Requirements that are checked: ids and globs. @default all of the document */
  only?: readonly string[]
  /** Factor for the number of examples per property. @default 0.5 */
  runs?: number
  /** In the order in which they are done. */
  onRow?: (row: ServerRow) => void
}

/**
 * Milliseconds. Nothing is learned by waiting longer for an email that does not come. As for most servers, nothing says how
 * long to wait for a further one.
 */
const impatient = { patience: 1_000 }

/** @throws Error when a text is in no name */
export async function runServers({
  seed = 1,
  texts = [],
  only = [],
  runs = 0.5,
  onRow,
}: ServersOptions = {}): Promise<ServerRow[]> {
  const named = (text: string) => lawfulServers.filter(({ name }) => name.includes(text))
  const unknown = texts.find((text) => named(text).length === 0)
  if (unknown !== undefined)
    throw new Error(
      `No server is called anything like "${unknown}". There are ${lawfulServers.map(({ name }) => name).join(', ')}.`,
    )
  const chosen =
    texts.length === 0
      ? lawfulServers
      : lawfulServers.filter(({ name }) => texts.some((text) => name.includes(text)))
  const rows: ServerRow[] = []
  for (const server of chosen) {
    const row = await rowOf(server, seed, only, runs)
    rows.push(row)
    onRow?.(row)
  }
  return rows
}

async function rowOf(
  server: LawfulServer,
  seed: number,
  only: readonly string[],
  runs: number,
): Promise<ServerRow> {
  const begin = performance.now()
  const requirements = loadRequirements()
  const checks = planChecks(await loadSuites(), requirements, { only }).filter(
    ({ id }) => requirements.get(id)?.basis !== 'profile',
  )
  const running = await startServer(server, seed)
  // With few examples: a lawful response that is rejected is rejected at the first one.
  const settings = { seed, quick: true, runs, checkTimeout: 60_000 }
  try {
    const run = await runInProcess(checks, running.target, { requirements }, settings)
    const { errors, ended, requests } = run
    const declared = running.target.notApplicable ?? {}
    checkNotApplicable(declared, requirements)
    const findings = withNotApplicable(run.findings, declared, requirements)
    const { exitCode, lines } = verdictOf({
      findings,
      errors,
      stopped: ended !== undefined,
    })
    return {
      name: server.name,
      exitCode,
      lines,
      findings,
      errors: [
        ...errors.map(({ place, message }) => `${place}: ${message}`),
        ...(ended === undefined ? [] : [`the run ended early: ${ended}`]),
        ...run.otherViolations.map(
          ({ requirement, message }) => `not selected, but broken: ${requirement} ${message}`,
        ),
      ],
      requests,
      ms: performance.now() - begin,
    }
  } finally {
    await running.close()
  }
}

/** The server on a free port of 127.0.0.1 with its mail sink and its provider, and the target that its tester writes. */
async function startServer(server: LawfulServer, seed: number) {
  // Hooks are called later than they are offered: the server must know the services first.
  const late: { hooks: Readonly<Record<string, (input: Record<string, unknown>) => unknown>> } = { hooks: {} }
  const names = Object.keys(hookNames)
  const services = await startServices(
    { smtp: {}, oidc: {} },
    Object.fromEntries(
      names.map((name) => [name, (input: Record<string, unknown>) => late.hooks[name]?.(input)]),
    ),
  )
  const { smtp, provider } = services
  if (smtp === undefined || provider === undefined) throw new Error('The services of the run did not start.')
  const { fetch, hooks } = server.start({ smtp, provider, seed })
  late.hooks = hooks
  const http = createServer(getRequestListener(fetch))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const offered = Object.entries(services.hooks).filter(
    ([name]) => !(name in hookNames) || hooks[name] !== undefined,
  )
  const file = {
    baseUrl,
    name: server.name,
    ...server.target,
    hooks: Object.fromEntries(offered),
    mail: impatient,
  }
  return {
    target: targetOf(file, `the target of ${server.name}`, {}),
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await services.close()
    },
  }
}

/** What a server may offer in addition to its interface. */
const hookNames = { clock: true, createApiKey: true, revokeApiKey: true }

const order: readonly Status[] = [
  'pass',
  'fail',
  'warn',
  'blocked',
  'untestable',
  'not-applicable',
  'observed',
]

/** What must not be. */
export function isAccused({ findings, errors }: ServerRow): boolean {
  return errors.length > 0 || findings.some(({ status }) => status === 'fail' || status === 'warn')
}

/** The row as lines for people: the verdict, then everything but `pass`, grouped by reason. */
export function describeRow({ name, exitCode, lines, findings, errors, requests, ms }: ServerRow): string[] {
  const counts = order
    .map((status) => [status, findings.filter((each) => each.status === status).length] as const)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${status} ${count}`)
  const groups = new Map<string, string[]>()
  for (const status of order.slice(1)) {
    for (const finding of findings) {
      if (finding.status !== status) continue
      const reason = `${status}: ${finding.message.replaceAll(/\s+/g, ' ').slice(0, 200)}`
      groups.set(reason, [...(groups.get(reason) ?? []), finding.requirement])
    }
  }
  return [
    `${name}: exit ${exitCode} · ${counts.join(' · ')} · ${requests} requests, ${(ms / 1000).toFixed(1)} s`,
    ...lines.map((line) => `  ${line}`),
    ...[...groups].flatMap(([reason, ids]) => [`  ${reason}`, `    ${ids.join(' ')}`]),
    ...errors.map((error) => `  ERROR ${error.slice(0, 500)}`),
  ]
}
