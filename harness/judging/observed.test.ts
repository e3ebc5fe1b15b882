import { expect, it } from 'vitest'
import type { Finding } from '../vocabulary/finding.ts'
import { worthALook } from './observed.ts'

it('names security-relevant answers that differ from the profile', () => {
  const security = 'Anyone can write a token.'
  const of = (requirement: string, more: Partial<Finding>) =>
    ({ requirement, basis: 'profile', status: 'observed', message: 'taken', ...more }) as Finding
  const findings = [
    of('token.unsigned', { security }),
    of('token.form', {}),
    of('token.expires', { security, held: true }),
    of('mfa.once', { security, status: 'fail' }),
    of('password-reset.once', { security, rejected: true }),
  ]
  expect(worthALook(findings).map(({ requirement }) => requirement)).toEqual(['token.unsigned'])
})
