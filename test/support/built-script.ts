/**
 * Runs a script on what is built, in a Node of its own: from the sources there are neither threads nor workers that
 * Node itself could load.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { userEnvironment } from './user-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ScriptEnd {
  code: number | null
  out: string
  err: string
}

/** @param script an ECMAScript module, in which `built(path)` imports a module of the package */
export async function runBuilt(script: string, nodeOptions = ''): Promise<ScriptEnd> {
  const env = { ...userEnvironment(), NODE_OPTIONS: nodeOptions }
  const from = new URL('../../dist/', import.meta.url).href
  const whole = `const built = (path) => import(new URL(path, '${from}').href)\n${script}`
  const args = ['--input-type=module', '-e', whole]
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}
