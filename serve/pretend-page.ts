/**
 * The page of the pretended identity providers, where the user of an application chooses who signs in. It takes the
 * place of a real provider's page, so that an application runs unmodified.
 *
 * @module
 */

import { hasAddressForm } from '../reference/fields/is-email.ts'
import { readBytes } from '../reference/http/read-body.ts'
import type { PretendOptions, PretendUser, Reference } from '../reference/reference.ts'
import { accessRejection } from './gate.ts'
import { type Responding, reject, responding } from './respond.ts'

/** Path of the page, for the `authURL` of pretended providers. */
export const pretendPagePath = '/_oauth2/authorize'

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
}

// The form is sent to the address of the page, whose query comes from the application.
const page = (problem = '') => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 3rem auto; padding: 0 1rem }
  label { display: block; margin-top: 1rem }
  input { font: inherit; width: 100%; box-sizing: border-box; padding: 0.4rem }
  button { font: inherit; padding: 0.4rem 1rem; margin: 1.5rem 0.5rem 0 0 }
</style>
<h1>Sign in</h1>
<p>A pretended identity provider of <code>conformance serve</code>. Choose who signs in.</p>
${problem === '' ? '' : `<p role="alert">${problem}</p>`}
<form method="post">
  <label>Id at the provider <input name="sub" required value="1"></label>
  <label>Email <input name="email" type="email" value="ann@example.com"></label>
  <label>Name <input name="name"></label>
  <button>Sign in</button>
  <button name="reject" value="token" formnovalidate>Reject</button>
</form>
`

/** Bytes of the form. */
const largest = 64 * 1024
/** Addresses that no application has, and that browsers do not follow. */
const notFollowed = ['javascript:', 'data:', 'blob:', 'file:']

/**
 * Responds to the page and to its form, which redirects to the application with a code. Any page may open it, but only
 * it may send its form: a code signs in as anyone.
 */
export function createPretendPage(serving: {
  readonly reference: Reference
  readonly oauth2: PretendOptions
}): Responding {
  async function respond(request: Request, ip: string | undefined): Promise<Response | undefined> {
    const { pathname, searchParams } = new URL(request.url)
    const { pretend = [] } = serving.oauth2
    if (pathname !== pretendPagePath || pretend.length === 0) return undefined
    if (!isAddress(searchParams.get('redirect_uri') ?? ''))
      return html('The address has no valid <code>redirect_uri</code>: append it to the authURL.', 400)
    if (request.method === 'GET') return html()
    if (request.method === 'HEAD') return new Response(null, { headers })
    if (request.method !== 'POST')
      return new Response('Use GET or POST.\n', { status: 405, headers: { Allow: 'GET, HEAD, POST' } })
    const rejection = accessRejection(request, ip, { sameOrigin: true })
    if (rejection !== undefined) return reject(rejection, 403)
    if (!request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded'))
      return html('Send the form as application/x-www-form-urlencoded.', 415)
    const form = new URLSearchParams(Buffer.from(await readBytes(request, largest)).toString('utf8'))
    const text = (name: string) => form.get(name) || undefined
    const sub = text('sub')
    if (sub === undefined && !form.has('reject')) return html('The id at the provider is missing.', 400)
    const email = text('email')
    if (email !== undefined && !form.has('reject') && !hasAddressForm(email))
      return html('The email is not an address.', 400)
    const user: PretendUser = { sub: sub ?? '', email, name: text('name') }
    const chosen = form.has('reject') ? { reject: 'token' as const } : user
    const back = serving.reference.oauth2.visit(request.url, chosen)
    return new Response(null, { status: 303, headers: { Location: back.href } })
  }
  return (request, ip) =>
    request.url.includes(pretendPagePath) ? responding(() => respond(request, ip)) : undefined
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && !notFollowed.includes(new URL(text).protocol)
}

function html(problem?: string, status = 200): Response {
  return new Response(page(problem), { status, headers })
}
