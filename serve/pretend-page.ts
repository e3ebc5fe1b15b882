/**
 * The page of the pretended identity providers, where the user of an application chooses who signs in. It takes the
 * place of a real provider's page, so that an application runs unmodified.
 *
 * @module
 */

import type { PretendUser, Reference } from '../reference/reference.ts'
import type { Responding } from './respond.ts'

/** Path of the page, for the `authURL` of pretended providers. */
export const pretendPagePath = '/_oauth2/authorize'

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
}

// The form is sent to the address of the page, whose query is that of the application.
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

/** Responds to the page and to its form, which redirects to the application with a code. */
export function createPretendPage(serving: { readonly reference: Reference }): Responding {
  async function respond(request: Request): Promise<Response | undefined> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== pretendPagePath) return undefined
    if (!URL.canParse(searchParams.get('redirect_uri') ?? ''))
      return html('The address has no valid <code>redirect_uri</code>: append it to the authURL.', 400)
    if (request.method === 'GET') return html()
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'GET, POST' } })
    const form = new URLSearchParams(await request.text())
    const text = (name: string) => form.get(name) || undefined
    const user: PretendUser = { sub: text('sub') ?? '1', email: text('email'), name: text('name') }
    const chosen = form.has('reject') ? { reject: 'token' as const } : user
    const back = serving.reference.oauth2.visit(request.url, chosen)
    return new Response(null, { status: 303, headers: { Location: back.href } })
  }
  return (request) => (request.url.includes(pretendPagePath) ? respond(request) : undefined)
}

function html(problem?: string, status = 200): Response {
  return new Response(page(problem), { status, headers })
}
