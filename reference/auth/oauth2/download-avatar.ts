/**
 * Fetches the avatar of a provider's account, for a file field (contract-auth 6.6).
 *
 * @module
 */

import { type LookupAddress, lookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import { bareHost } from '../../../exchange/bare-host.ts'
import { makeUpload } from '../../fields/upload.ts'
import type { Environment, Upload } from '../../vocabulary.ts'
import { isPublicAddress } from './public-address.ts'

const patienceMs = 10_000
const largest = 5 * 1024 * 1024
const mostHops = 5

export type IsAllowed = (address: string) => boolean

/**
 * Resolves a host name, and fails unless every address of it is allowed. The connection uses the address that was
 * checked.
 */
function guardedLookup(isAllowed: IsAllowed): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses: LookupAddress[] = error ? [] : found
      const rejected = addresses.find(({ address }) => !isAllowed(address))
      const [first] = addresses
      if (error || rejected || first === undefined) {
        done(error ?? new Error(`${hostname} is ${rejected?.address}, which is not public.`), '')
      } else if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

async function open(url: URL, isAllowed: IsAllowed, signal: AbortSignal): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url} is not a web address.`)
  const host = bareHost(url.hostname)
  if (isIP(host) !== 0 && !isAllowed(host)) throw new Error(`${host} is not public.`)
  const { get } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  return new Promise((resolve, reject) => {
    get(url, { lookup: guardedLookup(isAllowed), signal }, resolve).on('error', reject)
  })
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += (chunk as Buffer).byteLength
    if (length > largest) throw new Error(`The picture is larger than ${largest} bytes.`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/**
 * The avatar as an upload; undefined if it cannot be fetched for any reason. The address of each redirect is checked
 * like the first one.
 */
export async function downloadAvatar(
  address: string,
  environment: Environment,
  isAllowed: IsAllowed = isPublicAddress,
): Promise<Upload | undefined> {
  const signal = AbortSignal.timeout(patienceMs)
  try {
    let url = new URL(address)
    for (let hop = 0; hop <= mostHops; hop++) {
      const response = await open(url, isAllowed, signal)
      const { statusCode = 0, headers } = response
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.destroy()
        url = new URL(headers.location, url)
        continue
      }
      if (statusCode !== 200) {
        response.destroy()
        return undefined
      }
      return makeUpload(url.pathname.split('/').at(-1) || 'avatar', await readAll(response), environment)
    }
    return undefined
  } catch {
    return undefined
  }
}
