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
import { hooksIn } from './call-hook.ts'
import { hooksOf } from './hook-server.ts'
import type { TargetCode } from './setup.ts'
import { shippedTarget, shippedTargets } from './shipped-targets.ts'
import {
  expectUsedCredentials,
  hookNames,
  parseTargetFile,
  type TargetFile,
  targetOf,
  unknownKey,
} from './target-file.ts'

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
    const target = withHookPaths(targetOf(plain, place, environment), place)
    if (setup === undefined) {
      expectUsedCredentials(rest, place)
      return { target: explorable(target, rest), code: {}, place }
    }
    if (typeof setup !== 'string') rejectSetup(place)
    const module = await importModule(resolve(dirname(place), setup), `${place}, setup`)
    const { code, addresses } = codeOf(module, `${place}, setup`)
    return { target: { ...target, hooks: { ...target.hooks, ...hooksIn(place, addresses) } }, code, place }
  }
  const module = await importModule(resolve(place), place)
  const given = (module.target ?? module.default ?? {}) as Record<string, unknown>
  const {
    setup,
    teardown,
    hooks: exported,
    ...file
  } = typeof given === 'object' && given !== null ? given : {}
  const own = { setup, teardown, ...module, hooks: module.hooks ?? exported }
  const { code, addresses } = codeOf(own, place)
  const hooks = own.hooks === undefined ? undefined : addresses
  const target = withHookPaths(targetOf({ ...file, ...over, hooks }, place, environment), place)
  if (code.setup === undefined) expectUsedCredentials(file, place)
  return {
    target: code.setup === undefined && code.hooks?.request === undefined ? explorable(target, file) : target,
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

function withHookPaths(target: Target, file: string): Target {
  return target.hooks === undefined ? target : { ...target, hooks: hooksIn(file, target.hooks) }
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

/** What a module may export by name. */
const exportNames = ['setup', 'teardown', 'hooks', 'target']

/** @throws ConfigurationError for an export or a hook that nothing would use, and for a setup that is not a function */
function codeOf(
  module: Record<string, unknown>,
  place: string,
): { code: TargetCode; addresses: Record<string, string> } {
  expectNoTypos(module, place)
  const code: Record<string, unknown> = {}
  for (const name of ['setup', 'teardown'] as const) {
    const value = module[name]
    if (value === undefined) continue
    if (typeof value !== 'function')
      throw new ConfigurationError(`"${name}" is not a function`, place, `export a function ${name}(input)`)
    code[name] = value
  }
  const [functions, addresses] = hooksOf(module.hooks)
  const names = hookNames()
  for (const name of Object.keys({ ...functions, ...addresses }))
    if (!names.includes(name)) throw unknownKey(`hooks.${name}`, name, names, place)
  return { code: { ...code, hooks: functions } as TargetCode, addresses }
}

/** A module may export what it likes, but what is nearly the name of a missing part is a mistake. */
function expectNoTypos(module: Record<string, unknown>, place: string): void {
  const missing = exportNames.filter((name) => module[name] === undefined)
  for (const name of Object.keys(module)) {
    const near = name === 'default' || exportNames.includes(name) ? undefined : nearest(name, missing, 3)
    if (near !== undefined)
      throw new ConfigurationError(`nothing uses the export "${name}"`, place, `did you mean "${near}"?`)
  }
}

function rejectSetup(place: string): never {
  throw new ConfigurationError(
    '"setup" is not the path of a module',
    place,
    'use a module that exports setup(): "setup": "./setup.mjs"',
  )
}
