/**
 * From the options of a reference to what its operations receive.
 *
 * @module
 */

import { type ApiKeys, createApiKeys } from './auth/api-keys.ts'
import { createMailbox, EmailNotSent, smtpDelivery } from './auth/mail/mailbox.ts'
import { addressList } from './auth/superusers.ts'
import { createTokens } from './auth/tokens.ts'
import { createBackground } from './environment/background.ts'
import type { ReferenceEnvironment } from './environment/environment.ts'
import { checkLimits } from './limits/limits.ts'
import { createMemory } from './limits/memory.ts'
import {
  checkPrefix,
  defaultBatch,
  defaultRateLimits,
  defaultSender,
  defaultThrottle,
  type ReferenceOptions,
} from './options.ts'
import type { Services } from './services.ts'
import type { InitialState } from './state/initial-state.ts'
import { createPretendProvider } from './testing/pretend-provider.ts'
import { withDefaults } from './with-defaults.ts'

interface BuiltServices {
  services: Services
  apiKeys: ApiKeys
  /** Waits for emails that are being sent, then closes the connection to the SMTP server. */
  closeMail(): Promise<void>
}

/** @throws Error that names the prefix, limit or address that cannot be used */
export function buildServices(
  options: ReferenceOptions,
  environment: ReferenceEnvironment,
  { store, keys, views, memory: remembered }: InitialState,
): BuiltServices {
  const memory = createMemory(environment.now, remembered)
  const apiKeys = createApiKeys(store, environment, memory, keys)
  const sender = withDefaults(defaultSender, options.mail?.sender)
  const smtp = options.mail?.smtp && smtpDelivery(options.mail.smtp, sender)
  const mail = createMailbox(smtp?.deliver)
  const log = options.log ?? print
  const background = createBackground(log)
  const services: Services = {
    environment,
    store,
    tokens: createTokens(environment),
    findApiKey: (text) => apiKeys.find(text),
    prefix: checkPrefix(options.prefix),
    batch: withDefaults(defaultBatch, options.batch),
    mail,
    sender,
    background,
    memory,
    oauth2: createPretendProvider(environment, log),
    rateLimits: withDefaults(defaultRateLimits, options.rateLimits),
    throttle: withDefaults(defaultThrottle, options.throttle),
    limits: checkLimits(options.limits),
    views,
    superuserIPs: addressList(options.superuserIPs ?? []),
    log,
  }
  return {
    services,
    apiKeys,
    async closeMail() {
      await background.idle()
      await smtp?.close()
    },
  }
}

/** An email that was not sent is not an error in this program: a stack would show nothing. */
function print(error: unknown): void {
  console.error(error instanceof EmailNotSent ? error.message : error)
}
