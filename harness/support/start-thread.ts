/**
 * Starts a module of the project as a worker thread, in the package and in a checkout alike.
 *
 * @module
 */

import { Worker } from 'node:worker_threads'

/**
 * The thread does not inherit the arguments of this process: they may be for its script only, such as `--input-type`.
 *
 * @param module a script, or in a checkout a source
 * @param workerData the thread's `workerData`
 */
export function startThread(module: URL, workerData: unknown): Worker {
  const options = { workerData, execArgv: [] }
  if (module.pathname.endsWith('.js')) return new Worker(module, options)
  // Node 20 does not load TypeScript in a thread automatically.
  const script = `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}
register()
await import(${JSON.stringify(module.href)})`
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), options)
}
