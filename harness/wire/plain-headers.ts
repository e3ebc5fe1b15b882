/** Without a version: a server may treat a client with another name as a new device, and would do so after each release. */
const client = 'record-auth-conformance'

/**
 * Headers of every request that does not set them. A server may reject a request that accepts nothing (RFC 9110, section
 * 12.5.1), and may choose any coding where none is named (section 12.5.3). Many gateways reject a client without a name.
 */
export const plainHeaders = {
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': client,
}
