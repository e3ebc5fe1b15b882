/**
 * One socket behind which a fresh copy of the reference stands for each fault, with the fault in front.
 *
 * @module
 */

import { referenceHooks, roleTables } from '../../../harness/target/embedded.ts'
import { serveHooks } from '../../../harness/target/hook-server.ts'
import { startServices } from '../../../harness/target/start-services.ts'
import { withProvider } from '../../../harness/target/with-provider.ts'
import type { Target } from '../../../harness/vocabulary/target.ts'
import { listen } from '../../../reference/http/listen.ts'
import { createReference, type IdMaker, type Reference } from '../../../reference/reference.ts'
import { standardBinding } from '../../../spec/gaps.ts'
import { tableDefinitions } from '../../../spec/tables.ts'
import { withHeaders } from '../combinators/combinators.ts'
import type { DeclaredFault } from '../fault.ts'

export interface FaultyServer {
  target: Target
  /** What is behind the socket. */
  readonly reference: Reference
  /** The same without the socket: what stands behind it, fault included. */
  fetch(request: Request): Promise<Response>
  /** Puts a fresh copy with this fault behind the socket; without a fault a healthy one. */
  use(fault?: Pick<DeclaredFault, 'make'> & Partial<DeclaredFault>): Promise<void>
  close(): Promise<void>
}

export interface FaultyServerOptions {
  /** Makes the ids of new records. @default random ones */
  ids?: IdMaker
  /** Makes the records that every copy begins with. @default none */
  populate?(reference: Reference): Promise<void>
  /**
   * Deletes records behind the fault, which saves the requests of the clean-up. Otherwise they are sent to the fault, too:
   * what it breaks there counts.
   *
   * @default false
   */
  cleansBehind?: boolean
}

/** The same target without its claim of a profile. */
export function unclaimed({ profile: _profile, ...target }: Target): Target {
  return target
}

const superuser = { email: 'superuser@conformance.example', password: 'superuser-of-the-faults' }

export async function startFaultyServer(
  seed: number,
  { ids, populate, cleansBehind = false }: FaultyServerOptions = {},
): Promise<FaultyServer> {
  let current: Reference | undefined
  const { deleteRecords, ...hooks } = referenceHooks(() => current ?? origin)
  /** Number of the last email of earlier copies, whose accounts may have had the same addresses. */
  let earlier = 0
  let lastEmail = async () => 0
  const services = await startServices(
    { smtp: {}, oidc: {} },
    cleansBehind && deleteRecords !== undefined ? { ...hooks, deleteRecords } : hooks,
    ({ mailbox = () => ({ count: 0, mails: [] }), ...others }) => {
      lastEmail = async () => ((await mailbox({})) as { count: number }).count
      return serveHooks({
        ...others,
        mailbox: (input) => mailbox({ ...input, after: Math.max(earlier, Number(input.after ?? 0)) }),
      })
    },
  )
  const { smtp, provider } = services
  const origin = createReference({
    tables: provider === undefined ? tableDefinitions() : withProvider(tableDefinitions(), provider),
    superusers: [superuser],
    seed,
    passwordCost: 4,
    log: () => {},
    ids,
    mail: smtp && { smtp: { host: smtp.host, port: smtp.port } },
  })
  await populate?.(origin)
  let response: (request: Request) => Promise<Response> = (request) => origin.fetch(request)
  const { url, close } = await listen((request) => response(request), 0, '127.0.0.1')
  const token = await signIn(origin, url)
  return {
    get reference() {
      return current ?? origin
    },
    fetch: (request) => response(request),
    async close() {
      await close()
      await services.close()
    },
    target: {
      baseUrl: url,
      name: 'faulty reference',
      profile: 'standard',
      binding: standardBinding(),
      capabilities: {},
      tables: roleTables(),
      credentials: { superuser: { token } },
      hooks: services.hooks,
      services: { smtp: { settle: 0 } },
    },
    async use(fault) {
      await current?.close()
      earlier = await lastEmail()
      const reference = origin.fork()
      current = reference
      const healthy = (request: Request) => reference.fetch(request)
      if (fault === undefined) {
        response = healthy
        return
      }
      const middleware = fault.make({
        reference,
        prefix: reference.prefix,
        async asSuperuser(request) {
          const headers = new Headers(request.headers)
          headers.set('authorization', token)
          return reference.fetch(await withHeaders(request, headers))
        },
      })
      response = (request) => middleware(request, healthy)
    },
  }
}

async function signIn(reference: Reference, url: string): Promise<string> {
  const response = await reference.fetch(
    `${url}${reference.prefix}/collections/_superusers/auth-with-password`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identity: superuser.email, password: superuser.password }),
    },
  )
  const { token } = (await response.json()) as { token?: string }
  if (token === undefined)
    throw new Error(`The reference rejected its own superuser with status ${response.status}.`)
  return token
}
