import { describe, expect, it } from 'vitest'
import { createApp } from '../reference/app.ts'
import { createReference } from '../reference/reference.ts'
import { operations } from '../spec/openapi.ts'

/** Operations of the document whose routes are yet to come; empty when the reference is whole. */
const missing = [
  'POST /api/v1/collections/{table}/auth-with-oauth2',
  'POST /api/v1/collections/{table}/auth-with-otp',
  'POST /api/v1/collections/{table}/confirm-email-change',
  'POST /api/v1/collections/{table}/confirm-password-reset',
  'POST /api/v1/collections/{table}/confirm-verification',
  'POST /api/v1/collections/{table}/impersonate/{id}',
  'POST /api/v1/collections/{table}/request-email-change',
  'POST /api/v1/collections/{table}/request-otp',
  'POST /api/v1/collections/{table}/request-password-reset',
  'POST /api/v1/collections/{table}/request-verification',
]

describe('routes of the reference', () => {
  it('are the operations of the description, and no others', () => {
    const { services } = createReference()
    const routes = createApp(services).routes.map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    const described = operations().map(({ method, path }) => `${method} ${path}`)
    expect(described).toHaveLength(19)
    expect([...routes, ...missing].sort()).toEqual(described.sort())
  })
})
