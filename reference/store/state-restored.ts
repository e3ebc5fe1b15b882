/**
 * Keeps a request that is under way from writing into the state that a test has just restored.
 *
 * @module
 */

/**
 * A snapshot was restored while a transaction ran, so the transaction's writes belong to a state that no longer exists.
 */
export class StateRestored extends Error {
  override readonly name = 'StateRestored'

  constructor() {
    super('The state was restored while the request was in progress: it wrote nothing.')
  }
}
