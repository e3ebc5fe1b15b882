/**
 * A Vitest fixture: every test gets a reference of its own, forked from one that is made once per file.
 *
 * @example
 * ```ts
 * import { withReference } from 'record-auth-conformance/vitest'
 *
 * const test = withReference({ tables, prefix: '/api' })
 * test('lists posts', async ({ reference }) => {
 *   await reference.make('posts', 3)
 * })
 * ```
 *
 * @module record-auth-conformance/vitest
 */

import { test as base, type TestAPI } from 'vitest'
import type { KnownRequest } from '../exchange/plain-exchange.ts'
import {
  createReference,
  type KnownField,
  type Reference,
  type ReferenceOptions,
  type TableInputs,
} from '../reference/reference.ts'

export { type ConformanceTestsOptions, conformanceTests } from './conformance-tests.ts'

declare global {
  // The interface of Vitest's own, Matchers, has other type parameters in Vitest 5 than before. Vitest 3 to 5 extend
  // this one.
  namespace Chai {
    interface Assertion {
      /** The response keeps to the interface. Wait for it unless it is a plain exchange. */
      toConform(known?: KnownRequest | KnownRequest['operation']): Promise<void>
      /** The name that users of jest-openapi know it by. */
      toSatisfyApiSpec(known?: KnownRequest | KnownRequest['operation']): Promise<void>
    }
  }
}

/** What a test gets in its first argument. */
export interface ReferenceFixture<Tables extends TableInputs> {
  /** A fork of its own: tests may run at the same time, and none sees what another wrote. */
  reference: Reference<Tables>
}

/** Prepares the state that every test begins with. Runs once. */
export type Prepare<Tables extends TableInputs> = (reference: Reference<Tables>) => Promise<unknown> | unknown

/**
 * `test`, with a reference in every test. The message of a test that fails ends with the last requests that reached it, and
 * why each was rejected. The first test creates the reference: options that `createReference` rejects, and an error of
 * `prepare`, fail every test.
 *
 * @param prepare brings tables and records that all tests share into their first state
 *
 * @example
 * ```ts
 * import { withReference } from 'record-auth-conformance/vitest'
 *
 * const tables = [{ name: 'posts', listRule: '', fields: [{ name: 'title', type: 'text' }] }] as const
 * const test = withReference({ tables }, (reference) => reference.make('posts', 3))
 *
 * test('lists posts', async ({ reference, expect }) => {
 *   const response = await reference.fetch('/api/v1/collections/posts/records')
 *   expect(response.status).toBe(200)
 * })
 * ```
 */
export function withReference<const Tables extends TableInputs = TableInputs>(
  options: ReferenceOptions<Tables> = {},
  prepare?: Prepare<KnownField<Tables>>,
): TestAPI<ReferenceFixture<KnownField<Tables>>> {
  let origin: Promise<Reference<KnownField<Tables>>> | undefined
  const begin = async () => {
    const reference = createReference<Tables>(options)
    await prepare?.(reference)
    return reference
  }
  return base.extend<ReferenceFixture<KnownField<Tables>>>({
    reference: async ({ onTestFailed, task }, use) => {
      origin ??= begin()
      const fork = (await origin).fork() as Reference<KnownField<Tables>>
      onTestFailed(() => explainFailure(task.result?.errors?.at(-1), fork.requests.explain()))
      try {
        await use(fork)
      } finally {
        await fork.close()
      }
    },
  })
}

/** Appends to the message of an error, so that every reporter and editor shows it. */
function explainFailure(
  error: { message: string; stack?: string | undefined } | undefined,
  text: string,
): void {
  if (error === undefined || text === '') return
  const { message, stack } = error
  error.message = `${message}\n\n${text}`
  // Some reporters print the stack alone, which begins with the message.
  if (stack?.includes(message)) error.stack = stack.replace(message, () => error.message)
}
