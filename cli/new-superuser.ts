/**
 * The superuser of `conformance serve`: from the environment, with random values for what it does not set.
 *
 * @module
 */

import { randomBytes } from 'node:crypto'
import { ConfigurationError } from '../harness/errors.ts'
import { isEmail } from '../reference/fields/is-email.ts'
import type { ServingOptions } from '../serve/serving.ts'

/** The longest password that the reference accepts. */
const mostBytes = 72

/** @throws ConfigurationError that names the variable and does not show the password */
export function newSuperuser(environment = process.env): ServingOptions['superuser'] {
  const { CONFORMANCE_SUPERUSER_IDENTITY: email = '', CONFORMANCE_SUPERUSER_PASSWORD: password = '' } =
    environment
  if (email !== '' && !isEmail(email))
    throw new ConfigurationError(
      `"${email}" is not a valid email address`,
      'CONFORMANCE_SUPERUSER_IDENTITY',
      'use an address such as superuser@example.com, or unset the variable',
    )
  if (Buffer.byteLength(password) > mostBytes)
    throw new ConfigurationError(
      `the password is longer than ${mostBytes} bytes`,
      'CONFORMANCE_SUPERUSER_PASSWORD',
      'use a shorter password, or unset the variable',
    )
  return {
    id: randomBytes(32).toString('hex').slice(0, 15),
    email: email || 'superuser@conformance.example',
    password: password || randomBytes(18).toString('base64url'),
    tokenKey: randomBytes(25).toString('hex'),
  }
}
