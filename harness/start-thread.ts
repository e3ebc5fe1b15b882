/**
 * Starts a module of the project as a worker thread, in the package and in a checkout alike.
 *
 * @module
 */

import { Worker } from 'node:worker_threads'

/**
 * The thread gets no arguments of this process: those may be about its own script, such as `--input-type`.
 *
 * @param module a script, or in a checkout a source
 * @param workerData what the thread reads under that name
 */
export function startThread(module: URL, workerData: unknown): Worker {
  const options = { workerData, execArgv: [] }
  if (module.pathname.endsWith('.js')) return new Worker(module, options)
  // In a thread, Node 20 loads no TypeScript by itself.
  const script = `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}
register()
await import(${JSON.stringify(module.href)})`
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), options)
}
