/**
 * From options, file and environment to the target of a run.
 *
 * @module
 */

import { standardBinding } from '../spec/gaps.ts'
import { nearest } from '../spec/nearest.ts'
import { startEmbedded } from './embedded.ts'
import { ConfigurationError } from './errors.ts'
import { startServices } from './services.ts'
import { readTargetFile } from './target-file.ts'
import type { Credential, Target } from './vocabulary.ts'

export interface TargetOptions {
  baseUrl?: string
  /** Path of a target file, or a target ready for use. */
  target?: string | Target
  /** Profile that the target claims; `none` for none. */
  profile?: string
  prefix?: string
  readOnly?: boolean
  allowRemoteWrites?: boolean
}

export interface PreparedTarget {
  target: Target
  embedded: boolean
  close(): Promise<void>
}

const profiles = ['standard', 'none']

/**
 * The target, ready to be asked: a file, a URL, or the embedded reference when neither is given.
 *
 * @throws ConfigurationError
 */
export async function prepareTarget(
  options: TargetOptions,
  seed: number,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<PreparedTarget> {
  checkProfile(options.profile)
  const given = givenTarget(options, environment)
  if (given === undefined) {
    const { target, close } = await startEmbedded({
      seed,
      ...(options.prefix === undefined ? {} : { prefix: options.prefix }),
    })
    return { target: claiming(target, options.profile), embedded: true, close }
  }
  const target = claiming(withEnvironment(given, environment), options.profile)
  refuseRemoteWrites(target, options)
  if (target.services === undefined) return { target, embedded: false, close: async () => {} }
  const { hooks, close } = await startServices(target.services)
  return { target: { ...target, hooks: { ...hooks, ...target.hooks } }, embedded: false, close }
}

function givenTarget(
  { baseUrl, target, prefix }: TargetOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Target | undefined {
  const base = typeof target === 'string' ? readTargetFile(target, environment) : target
  const own: Record<string, string> = prefix === undefined ? {} : { prefix }
  if (baseUrl === undefined)
    return base === undefined ? undefined : { ...base, binding: { ...base.binding, ...own } }
  const url = checkedUrl(baseUrl)
  if (base !== undefined) return { ...base, baseUrl: url, binding: { ...base.binding, ...own } }
  return {
    baseUrl: url,
    binding: { ...standardBinding(), ...own },
    capabilities: {},
    tables: {},
    credentials: {},
  }
}

/** Secrets of the environment fill in, and win over, those of the file. */
function withEnvironment(target: Target, environment: Readonly<Record<string, string | undefined>>): Target {
  const {
    CONFORMANCE_SUPERUSER_TOKEN: token,
    CONFORMANCE_SUPERUSER_IDENTITY: identity,
    CONFORMANCE_SUPERUSER_PASSWORD: password,
  } = environment
  let superuser: Credential | undefined
  if (token) superuser = { token }
  else if (identity && password) superuser = { signIn: { table: '_superusers', identity, password } }
  else if (identity || password) {
    throw new ConfigurationError(
      'identity and password of the superuser belong together, and only one is set',
      identity ? 'CONFORMANCE_SUPERUSER_IDENTITY' : 'CONFORMANCE_SUPERUSER_PASSWORD',
      `set ${identity ? 'CONFORMANCE_SUPERUSER_PASSWORD' : 'CONFORMANCE_SUPERUSER_IDENTITY'} too`,
    )
  }
  return superuser === undefined ? target : { ...target, credentials: { ...target.credentials, superuser } }
}

function claiming(target: Target, profile: string | undefined): Target {
  if (profile === undefined) return target
  const { profile: _dropped, ...rest } = target
  return profile === 'none' ? rest : { ...rest, profile }
}

function checkProfile(profile: string | undefined): void {
  if (profile === undefined || profiles.includes(profile)) return
  const near = nearest(profile, profiles)
  throw new ConfigurationError(
    `there is no profile "${profile}"`,
    `--profile ${profile}`,
    near === undefined ? `use one of ${profiles.join(', ')}` : `did you mean ${near}?`,
  )
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ConfigurationError(
      `"${text}" is not an http or https URL`,
      '--base-url',
      'give the part before the prefix, http://127.0.0.1:8090 for example',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      'the base URL contains credentials',
      '--base-url',
      'give credentials by environment variable or target file',
    )
  }
  return text.replace(/[?#].*$/, '').replace(/\/+$/, '')
}

function refuseRemoteWrites({ baseUrl }: Target, { readOnly, allowRemoteWrites }: TargetOptions): void {
  if (readOnly === true || allowRemoteWrites === true || isLoopback(new URL(baseUrl).hostname)) return
  throw new ConfigurationError(
    'the target is not on this machine, and the run would create and delete records there',
    baseUrl,
    'add --allow-remote-writes if that is wanted, or --read-only',
  )
}

/** Names and addresses of this very machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return (
    bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare)
  )
}
