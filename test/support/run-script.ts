/**
 * Runs a script on modules of the project in a Node of its own, which a test cannot end, preload or look into.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { userEnvironment } from '../../scripts/support/user-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ScriptEnd {
  code: number | null
  out: string
  err: string
}

/** @param script an ECMAScript module, in which `load(path)` imports a module of the project */
export async function runScript(script: string, nodeOptions = ''): Promise<ScriptEnd> {
  const env = { ...userEnvironment(), NODE_OPTIONS: nodeOptions }
  const from = new URL('../../', import.meta.url).href
  const whole = `const load = (path) => import(new URL(path, '${from}').href)\n${script}`
  const args = ['--import', 'tsx', '--input-type=module', '-e', whole]
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
