/**
 * Threads of the build: they start in a fifth of the time of those that compile the sources.
 *
 * @module
 */

const root = new URL('../../', import.meta.url).href

/** @param source a module of the project that `startThread` receives: `harness/engine/worker.ts` */
export function builtFrom({ href }: URL): URL {
  return new URL(`../../dist/${href.slice(root.length).replace(/ts$/, 'js')}`, import.meta.url)
}
