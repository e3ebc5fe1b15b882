/**
 * Finds a target: a file (JSON, YAML, or a module), or the name of a shipped one.
 *
 * @module
 */

import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nearest } from '../../spec/nearest.ts'
import { ConfigurationError } from '../errors.ts'
import { defined } from '../support/defined.ts'
import type { ProcessEnvironment } from '../vocabulary/options.ts'
import type { Target } from '../vocabulary/target.ts'
import { hooksOf } from './hook-server.ts'
import type { TargetCode } from './setup.ts'
import { shippedTarget, shippedTargets } from './shipped-targets.ts'
import { expectUsedCredentials, parseTargetFile, type TargetFile, targetOf } from './target-file.ts'

export interface LoadedTarget {
  target: Target
  code: TargetCode
  /** The file, for messages. */
  place: string
}

const moduleEnding = /\.[mc]?[jt]s$/

/**
 * @param what a path, or a shipped name: a word without dots and slashes
 * @param over keys that take precedence over the file's: `--base-url`
 * @throws ConfigurationError naming file, key and next step
 */
export async function loadTarget(
  what: string,
  environment: ProcessEnvironment,
  over: Partial<TargetFile> = {},
): Promise<LoadedTarget> {
  const place = pathOf(what)
  if (!moduleEnding.test(place)) {
    const content = parseTargetFile(place)
    const setup = (content as { setup?: unknown } | null)?.setup
    const { setup: _setup, ...rest } = (content ?? {}) as Record<string, unknown>
    const plain = typeof content === 'object' && !Array.isArray(content) ? { ...rest, ...over } : content
    const target = targetOf(plain, place, environment)
    if (setup === undefined) {
      expectUsedCredentials(rest, place)
      return { target: explorable(target, rest), code: {}, place }
    }
    if (typeof setup !== 'string') rejectSetup(place)
    const module = await importModule(resolve(dirname(place), setup), `${place}, setup`)
    return { target, code: codeOf(module, `${place}, setup`), place }
  }
  const module = await importModule(resolve(place), place)
  const given = (module.target ?? module.default ?? {}) as Record<string, unknown>
  const { setup, teardown, hooks, ...file } = typeof given === 'object' && given !== null ? given : {}
  const [functions, addresses] = hooksOf(hooks)
  const own = codeOf({ setup, teardown, ...module }, place)
  const target = targetOf(
    { ...file, ...over, hooks: hooks === undefined ? undefined : addresses },
    place,
    environment,
  )
  const code = { ...own, hooks: { ...functions, ...own.hooks } }
  if (code.setup === undefined) expectUsedCredentials(file, place)
  return {
    target: code.setup === undefined && code.hooks.request === undefined ? explorable(target, file) : target,
    code,
    place,
  }
}

/**
 * A file that names no table leaves it to the run to find them, as with an address alone: who adds a line to the advice of a
 * run must not lose what the run had found. Everything that the file says is kept. Where a setup makes the tables, or a
 * hook rewrites the requests, an exploration would see another server.
 */
function explorable(target: Target, { prefix, binding }: Partial<TargetFile>): Target {
  if (Object.keys(target.tables).length > 0 || target.hooks?.request !== undefined) return target
  return { ...target, bare: defined({ prefix: prefix ?? binding?.prefix }) }
}

function pathOf(what: string): string {
  if (/[\\/.]/.test(what)) return what
  const names = shippedTargets()
  if (names.includes(what)) return shippedTarget(what)
  if (existsSync(what)) return what
  const near = nearest(what, names)
  throw new ConfigurationError(
    `there is no file or shipped target "${what}"`,
    `--target ${what}`,
    `${near === undefined ? '' : `did you mean ${near}? `}shipped targets are ${names.join(', ')}; to write a target file, use \`conformance init\``,
  )
}

async function importModule(path: string, place: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>
  } catch (error) {
    throw new ConfigurationError(
      `the module cannot be loaded: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
      place === path ? path : `${place} (${path})`,
      'correct the path or the module, which exports setup(), teardown() or a target',
    )
  }
}

function codeOf(module: Record<string, unknown>, place: string): TargetCode {
  const code: Record<string, unknown> = {}
  for (const name of ['setup', 'teardown'] as const) {
    const value = module[name]
    if (value === undefined) continue
    if (typeof value !== 'function')
      throw new ConfigurationError(`"${name}" is not a function`, place, `export a function ${name}(input)`)
    code[name] = value
  }
  const [functions] = hooksOf(module.hooks)
  return { ...code, hooks: functions } as TargetCode
}

function rejectSetup(place: string): never {
  throw new ConfigurationError(
    '"setup" is not the path of a module',
    place,
    'use a module that exports setup(): "setup": "./setup.mjs"',
  )
}
