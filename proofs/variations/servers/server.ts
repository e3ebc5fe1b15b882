/**
 * What a lawful server is: the vocabulary of this folder.
 *
 * @module
 */

import type { Hook } from '../../../harness/target/hook-server.ts'
import type { TargetFile } from '../../../harness/target/target-file.ts'
import type { ProviderFacts } from '../../../harness/target/with-provider.ts'

/** What a server knows before it starts. */
export interface Surroundings {
  /** Where its emails go. */
  smtp: { host: string; port: number }
  /** The identity provider that it trusts. */
  provider: ProviderFacts
  /** Tokens, codes and ids follow from it. */
  seed: number
}

export interface RunningServer {
  fetch(request: Request): Response | Promise<Response>
  /** What its console and its clock offer to the tester. */
  hooks: Readonly<Record<string, Hook>>
}

/** A complete server of the document with a mind of its own. It shares no decision with another one. */
export interface LawfulServer {
  name: string
  start(surroundings: Surroundings): RunningServer
  /** What its tester would write into the target file, but for address, services and hooks. */
  target: Pick<
    TargetFile,
    'binding' | 'capabilities' | 'operations' | 'notApplicable' | 'tables' | 'credentials'
  >
}
