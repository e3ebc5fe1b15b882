/**
 * Services on the tester's side: a mail sink and an identity provider on loopback, offered to the checks as the hooks
 * `mailbox` and `provider`.
 *
 * @module
 */

import { ConfigurationError } from '../errors.ts'
import type { IdentityProvider, Misbehavior } from '../services/identity-provider.ts'
import type { MailSink } from '../services/mail-sink.ts'
import type { ProviderAccount, ServicePorts } from '../vocabulary/target.ts'
import { type Hook, type HookServer, serveHooks } from './hook-server.ts'
import { undoStack } from './undo-stack.ts'

/** Where a server must send its emails, and which provider it must trust. */
export interface RunningServices {
  smtp?: Pick<MailSink, 'host' | 'port' | 'onMail'>
  provider?: IdentityProvider
  /** Hook → address. */
  hooks: Record<string, string>
  close(): Promise<void>
}

/**
 * Starts the requested services, on the given ports or on free ones. If one cannot be started, all are stopped.
 *
 * @param own other hooks in this process: clock, API keys
 * @param offer makes hooks callable from other threads or processes
 * @throws ConfigurationError if a port is in use
 */
export async function startServices(
  ports: ServicePorts,
  own: Readonly<Record<string, Hook>> = {},
  offer: (hooks: Readonly<Record<string, Hook>>) => HookServer | Promise<HookServer> = serveHooks,
): Promise<RunningServices> {
  const undo = undoStack()
  const starting = [startSink(ports.smtp), startProvider(ports.oidc)] as const
  // One may fail while the other is still being started.
  for (const each of await Promise.allSettled(starting))
    if (each.status === 'fulfilled') undo.push(() => each.value?.stop())
  try {
    const [sink, provider] = await Promise.all(starting)
    const hooks: Record<string, Hook> = { ...own }
    if (sink !== undefined) hooks.mailbox = mailboxHook(sink)
    if (provider !== undefined) hooks.provider = providerHook(provider)
    const server = await offer(hooks)
    undo.push(() => server.close())
    return {
      smtp: sink,
      provider,
      hooks: server.hooks,
      close: () => undo.run(),
    }
  } catch (error) {
    // The tester can fix the first failure.
    await undo.run().catch(() => {})
    throw error
  }
}

async function startSink(wanted: ServicePorts['smtp']): Promise<MailSink | undefined> {
  if (wanted === undefined) return undefined
  const { startMailSink } = await import('../services/mail-sink.ts')
  return startMailSink(wanted.port).catch((error) => rejectPort('smtp', wanted.port, error))
}

async function startProvider(wanted: ServicePorts['oidc']): Promise<IdentityProvider | undefined> {
  if (wanted === undefined) return undefined
  const { startIdentityProvider } = await import('../services/identity-provider.ts')
  return startIdentityProvider(wanted.port).catch((error) => rejectPort('oidc', wanted.port, error))
}

function rejectPort(service: string, port: number | undefined, error: unknown): never {
  throw new ConfigurationError(
    `the ${service} service cannot listen (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    `services.${service}.port ${port ?? 'free'}`,
    'use another port, and configure the server with it',
  )
}

/** `{ to, after?, wait? }` → the emails to a recipient after a number, and the total number of emails. */
function mailboxHook(sink: MailSink): Hook {
  return async ({ to, after, wait }) => {
    const [address, from] = [String(to ?? '').toLowerCase(), Number(after ?? 0)]
    const patience = Number(wait ?? 0)
    if (address !== '' && patience > 0) await sink.staysSilent({ to: address, after: from, quiet: patience })
    const emails = sink.emails.filter(
      (mail) => mail.number > from && mail.to.some((each) => each.toLowerCase() === address),
    )
    return { count: sink.count, mails: emails }
  }
}

/** Plays the browser's part of a sign-in: `{ authURL, redirectURL, account, wrong? }` → `{ code, state, error, wrongAddress? }`. */
function providerHook(provider: IdentityProvider): Hook {
  return ({ authURL, redirectURL, account, wrong }) =>
    provider.authorize(
      authURL,
      String(redirectURL),
      account as ProviderAccount,
      wrong as Misbehavior | undefined,
    )
}
