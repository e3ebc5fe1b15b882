/**
 * A target that was given, by its address or by a file: read, completed from the environment, and made ready.
 *
 * @module
 */

import { standardBinding } from '../../spec/gaps.ts'
import { ConfigurationError } from '../errors.ts'
import { defined } from '../support/defined.ts'
import type { ProcessEnvironment, TargetOptions } from '../vocabulary/options.ts'
import type { Claim, Credential, PreparedTarget, Target } from '../vocabulary/target.ts'
import { checkedToken } from './checked-token.ts'
import { checkedUrl, isLoopback, usualSpelling } from './checked-url.ts'
import { claiming, claimOf } from './claim.ts'
import { equip } from './equip.ts'
import type { LoadedTarget } from './load-target.ts'

/**
 * @param claim of the options; it wins over the file's
 * @throws ConfigurationError
 */
export async function prepareGiven(
  options: TargetOptions,
  seed: number,
  environment: ProcessEnvironment,
  claim: Claim | undefined,
): Promise<PreparedTarget> {
  const given = await givenTarget(options, environment)
  const target = await claiming(withEnvironment(given.target, environment), claim, given.place)
  rejectRemoteWrites(target, options)
  return equip({ ...given, target }, options, seed, environment)
}

/**
 * The target of the options as it is written, without a request; undefined where it is the embedded reference.
 *
 * @throws ConfigurationError
 */
export async function readTarget(
  options: TargetOptions,
  environment: ProcessEnvironment,
): Promise<Target | undefined> {
  const { profile, baseUrl, target } = options
  const claim = profile === undefined ? undefined : await claimOf(profile, `--profile ${profile}`)
  if (baseUrl === undefined && target === undefined) return undefined
  const given = await givenTarget(options, environment)
  return claiming(withEnvironment(given.target, environment), claim, given.place)
}

async function givenTarget(options: TargetOptions, environment: ProcessEnvironment): Promise<LoadedTarget> {
  const loaded = await loadedTarget(options, environment)
  const { prefix, table: names } = options
  const { target } = loaded
  if (names !== undefined && target.bare === undefined)
    throw new ConfigurationError(
      '--table names tables to look for, and the target has tables of its own',
      `--table ${names.join(',')}, with ${loaded.place}`,
      'omit --table, or add the tables to `tables` in the target file',
    )
  const bare = target.bare && { ...target.bare, ...defined({ prefix, names }) }
  const binding = { ...target.binding, ...defined({ prefix }) }
  return { ...loaded, target: { ...target, ...defined({ bare }), binding } }
}

async function loadedTarget(
  { baseUrl, target }: TargetOptions,
  environment: ProcessEnvironment,
): Promise<LoadedTarget> {
  if (target === undefined)
    return { target: bareTarget(checkedUrl(baseUrl ?? '', '--base-url')), code: {}, place: '--base-url' }
  const url = baseUrl === undefined ? undefined : checkedUrl(baseUrl, '--base-url')
  if (typeof target === 'string') {
    // What reads and checks a file is loaded for a file only.
    const { loadTarget } = await import('./load-target.ts')
    return loadTarget(target, environment, defined({ baseUrl: url }))
  }
  const at = url ?? checkedUrl(target.baseUrl, 'the target, baseUrl')
  return { target: { ...target, baseUrl: at }, code: {}, place: 'the target' }
}

/** Only the address is known. It often ends with the prefix, which is part of every path. */
function bareTarget(address: string): Target {
  const baseUrl = address.replace(/\/api(\/v\d+)?$/, '')
  return { baseUrl, binding: standardBinding(), capabilities: {}, tables: {}, credentials: {}, bare: {} }
}

/** Secrets of the environment add to the secrets of the file, and take precedence. */
function withEnvironment(target: Target, environment: ProcessEnvironment): Target {
  const {
    CONFORMANCE_SUPERUSER_TOKEN: token,
    CONFORMANCE_SUPERUSER_IDENTITY: identity,
    CONFORMANCE_SUPERUSER_PASSWORD: password,
  } = environment
  let superuser: Credential | undefined
  if (token) superuser = { token: checkedToken(token, 'CONFORMANCE_SUPERUSER_TOKEN') }
  else if (identity && password) superuser = { signIn: { table: '_superusers', identity, password } }
  else if (identity || password) {
    throw new ConfigurationError(
      'only one of identity and password of the superuser is set',
      identity ? 'CONFORMANCE_SUPERUSER_IDENTITY' : 'CONFORMANCE_SUPERUSER_PASSWORD',
      `set ${identity ? 'CONFORMANCE_SUPERUSER_PASSWORD' : 'CONFORMANCE_SUPERUSER_IDENTITY'} too`,
    )
  }
  return superuser === undefined ? target : { ...target, credentials: { ...target.credentials, superuser } }
}

function rejectRemoteWrites({ baseUrl }: Target, { readOnly, allowRemoteWrites }: TargetOptions): void {
  if (readOnly === true || allowRemoteWrites === true || isLoopback(new URL(baseUrl).hostname)) return
  const own = usualSpelling(baseUrl)
  throw new ConfigurationError(
    'the target is a remote host, and the run would create and delete records there',
    baseUrl,
    own === undefined
      ? 'add --allow-remote-writes to allow this, or --read-only'
      : `if it runs on this machine, use --base-url ${own}`,
  )
}
