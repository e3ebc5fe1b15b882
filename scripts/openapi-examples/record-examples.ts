/**
 * The examples of the description: real exchanges with the reference, whose clock is stopped and whose random values
 * are the same in each run.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { createReference, type Reference, type ReferenceOptions } from '../../reference/reference.ts'
import { exampleTables } from './example-tables.ts'

/** As an Example Object of OpenAPI. */
export interface Example {
  /** The request, and for a response its status. */
  summary: string
  'x-basis': 'profile'
  value: unknown
}

interface Sent {
  /** Of the example of the request's body. Without one, no example is kept of it. */
  request?: string
  /** Of the example of the response's body. */
  response?: string
  /** Names of the examples of parameters in the query. */
  parameters?: Readonly<Record<string, string>>
  token?: string
  body?: unknown
  expected?: number
  to?: Reference
}

type Body = Readonly<Record<string, unknown>>

const password = 'correct-horse-battery'
const email = 'ada@example.com'
const posts = '/api/v1/collections/posts/records'

const guests = { audience: '@guest', duration: 60, maxRequests: 1 } as const
const options: ReferenceOptions = {
  tables: exampleTables,
  superusers: [{ email: 'root@example.com', password }],
  seed: 2026,
  oauth2: { pretend: ['example'] },
  batch: { maxBodySize: 2_000 },
  rateLimits: {
    enabled: true,
    rules: [
      { label: 'audit:list', ...guests },
      { label: 'POST /api/v1/batch', ...guests },
    ],
  },
  passwordCost: 4,
}

/** The accounts that the examples are about. */
interface Known {
  memberId: string
  /** The token of the member. */
  token: string
  superuser: string
}

const auth = (action: string, table = 'members') => `/api/v1/collections/${table}/${action}`

/** @returns by name, in the order in which they were recorded */
export async function recordExamples(): Promise<Record<string, Example>> {
  await using reference = createReference(options)
  await using withoutBatches = createReference({ ...options, batch: { enabled: false } })
  reference.clock.freeze('2026-03-01T09:00:00.000Z')
  const recording = new Recording(reference)
  const known = await signUp(recording)
  const path = await writePosts(recording, known)
  await sendRejected(recording, known, path)
  await sendRejectedBatches(recording, known, path, withoutBatches)
  await renewSessions(recording, known)
  await signInWithCode(recording, known)
  await signInWithProvider(recording, reference)
  await useEmailFlows(recording)
  return recording.examples
}

/** Sends requests to a reference, and keeps examples of them. */
class Recording {
  readonly examples: Record<string, Example> = {}
  readonly #reference: Reference

  constructor(reference: Reference) {
    this.#reference = reference
  }

  keep(name: string | undefined, summary: string, value: unknown): void {
    if (name === undefined) return
    if (this.examples[name] !== undefined) throw new Error(`Two examples are called ${name}.`)
    this.examples[name] = { summary, 'x-basis': 'profile', value }
  }

  /** Sends a request and keeps what is an example of it. Each takes a second. @throws when the status is another one */
  async send(method: string, path: string, sent: Sent = {}): Promise<Body> {
    const { token, body, expected = 200, to = this.#reference } = sent
    this.#reference.clock.advance(1_000)
    const response = await to.fetch(path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const line = `${method} ${decodeURIComponent(path.replaceAll('+', ' '))}`
    if (response.status !== expected)
      throw new Error(`${line} returned ${response.status} and not ${expected}: ${text}`)
    const value: unknown = text === '' ? {} : JSON.parse(text)
    this.keep(sent.request, line, body)
    this.keep(sent.response, `${line}, status ${response.status}`, value)
    const query = new URL(path, 'http://reference').searchParams
    for (const [parameter, name] of Object.entries(sent.parameters ?? {})) {
      const text = query.get(parameter)
      this.keep(
        name,
        line,
        text === null || text === 'true' || /^\d+$/.test(text) ? JSON.parse(text ?? '') : text,
      )
    }
    return isObject(value) ? value : {}
  }

  /** What an email says that matches the pattern. */
  async mailed(pattern: RegExp): Promise<string> {
    const { mail } = this.#reference
    const { text } = await mail.waitFor()
    const found = pattern.exec(text)?.[1]
    mail.clear()
    if (found === undefined) throw new Error(`The email has nothing like ${pattern}: ${text}`)
    return found
  }
}

/** Creates a member who signs in, and signs a superuser in. */
async function signUp(recording: Recording): Promise<Known> {
  const member = await recording.send('POST', '/api/v1/collections/members/records', {
    body: { email, password, passwordConfirm: password, emailVisibility: true, name: 'Ada' },
  })
  await recording.send('GET', auth('auth-methods'), { response: 'MethodsOfMembers' })
  const session = await recording.send('POST', auth('auth-with-password'), {
    request: 'PasswordOfMember',
    response: 'SessionOfMember',
    body: { identity: email, password },
  })
  const { token: superuser } = await recording.send('POST', auth('auth-with-password', '_superusers'), {
    body: { identity: 'root@example.com', password },
  })
  return { memberId: String(member.id), token: String(session.token), superuser: String(superuser) }
}

/** @returns the path of a post that has been deleted */
async function writePosts(recording: Recording, { memberId, token }: Known): Promise<string> {
  const post = await recording.send('POST', posts, {
    request: 'NewPost',
    response: 'CreatedPost',
    token,
    body: {
      title: 'On engines',
      status: 'draft',
      author: memberId,
      place: { lon: -0.1276, lat: 51.5072 },
    },
  })
  const path = `${posts}/${post.id}`
  recording.keep('IdOfPost', `GET ${path}`, post.id)
  recording.keep('NameOfTable', `GET ${path}`, 'posts')
  await recording.send('PATCH', path, {
    request: 'PublishedPost',
    response: 'UpdatedPost',
    token,
    body: { status: 'published', 'views+': 1 },
  })
  await recording.send('GET', `${path}?expand=author`, {
    response: 'PostWithAuthor',
    parameters: { expand: 'ExpandAuthor' },
  })
  await recording.send('POST', posts, {
    token,
    body: { title: 'On looms', status: 'published', author: memberId },
  })
  const sought = new URLSearchParams({
    filter: 'status = "published"',
    sort: '-created',
    page: '1',
    perPage: '1',
  })
  await recording.send('GET', `${posts}?${sought}`, {
    response: 'PageOfPosts',
    parameters: {
      filter: 'FilterByStatus',
      sort: 'NewestFirst',
      page: 'FirstPage',
      perPage: 'OnePerPage',
    },
  })
  await recording.send('GET', `${posts}?fields=id,title`, { parameters: { fields: 'IdAndTitle' } })
  await recording.send('GET', `${posts}?skipTotal=true`, { parameters: { skipTotal: 'WithoutTotal' } })
  await recording.send('POST', '/api/v1/batch', {
    request: 'ThreeWrites',
    response: 'ThreeResults',
    token,
    body: {
      requests: [
        { method: 'POST', url: posts, body: { title: 'On cards', author: memberId } },
        { method: 'PATCH', url: path, body: { 'views+': 1 } },
        { method: 'DELETE', url: path },
      ],
    },
  })
  return path
}

async function sendRejected(recording: Recording, { token }: Known, path: string): Promise<void> {
  await recording.send('POST', posts, {
    response: 'MissingTitle',
    token,
    body: { status: 'draft' },
    expected: 400,
  })
  await recording.send('POST', '/api/v1/batch', {
    response: 'FailedBatch',
    token,
    body: {
      requests: [
        { method: 'POST', url: posts, body: { title: 'On cards' } },
        { method: 'POST', url: posts, body: { title: 'x'.repeat(61) } },
      ],
    },
    expected: 400,
  })
  await recording.send('POST', auth('auth-refresh'), { response: 'NoToken', expected: 401 })
  await recording.send('GET', '/api/v1/collections/audit/records', {
    response: 'NoAccess',
    token,
    expected: 403,
  })
  await recording.send('GET', path, { response: 'DeletedPost', expected: 404 })
  await recording.send('GET', '/api/v1/collections/audit/records', { expected: 403 })
  await recording.send('GET', '/api/v1/collections/audit/records', { response: 'TooOften', expected: 429 })
  await recording.send('POST', posts, {
    response: 'LargeBody',
    token,
    body: { title: 'x'.repeat(2 ** 25) },
    expected: 413,
  })
}

async function sendRejectedBatches(
  recording: Recording,
  { token }: Known,
  path: string,
  withoutBatches: Reference,
): Promise<void> {
  const batch = '/api/v1/batch'
  const body = { requests: [{ method: 'DELETE', url: path }] }
  await recording.send('POST', batch, {
    response: 'NoBatches',
    token,
    body,
    expected: 403,
    to: withoutBatches,
  })
  const large = { requests: [{ method: 'POST', url: posts, body: { title: 'x'.repeat(2_000) } }] }
  await recording.send('POST', batch, { response: 'LargeBatch', token, body: large, expected: 413 })
  await recording.send('POST', batch, { body, expected: 400 })
  await recording.send('POST', batch, { response: 'TooManyBatches', body, expected: 429 })
}

async function renewSessions(recording: Recording, { memberId, token, superuser }: Known): Promise<void> {
  await recording.send('POST', auth('auth-refresh'), { response: 'RenewedSession', token })
  await recording.send('POST', auth(`impersonate/${memberId}`), {
    request: 'OneHour',
    response: 'SessionOfAnother',
    token: superuser,
    body: { duration: 3600 },
  })
}

async function signInWithCode(recording: Recording, { superuser }: Known): Promise<void> {
  const { otpId } = await recording.send('POST', auth('request-otp'), {
    request: 'CodeForMember',
    response: 'CodeRequest',
    body: { email },
  })
  const code = await recording.mailed(/\b(\d{8})\b/)
  await recording.send('POST', auth('auth-with-otp'), {
    request: 'CodeOfMember',
    body: { otpId, password: code },
  })

  const worker = { email: 'grace@example.com', password }
  await recording.send('POST', '/api/v1/collections/staff/records', {
    token: superuser,
    body: { ...worker, passwordConfirm: password },
  })
  const { mfaId } = await recording.send('POST', auth('auth-with-password', 'staff'), {
    response: 'FirstFactor',
    body: { identity: worker.email, password },
    expected: 401,
  })
  const asked = await recording.send('POST', auth('request-otp', 'staff'), { body: { email: worker.email } })
  const second = await recording.mailed(/\b(\d{8})\b/)
  await recording.send('POST', `${auth('auth-with-otp', 'staff')}?mfaId=${mfaId}`, {
    body: { otpId: asked.otpId, password: second },
    parameters: { mfaId: 'MfaIdOfStaff' },
  })
}

async function signInWithProvider(recording: Recording, reference: Reference): Promise<void> {
  const { oauth2 } = (await recording.send('GET', auth('auth-methods'))) as {
    oauth2?: { providers: { name: string; authURL: string; codeVerifier: string }[] }
  }
  const provider = oauth2?.providers[0]
  if (provider === undefined) throw new Error('The members have no provider.')
  const redirectURL = 'https://blog.example.com/signed-in'
  const visited = reference.oauth2.visit(`${provider.authURL}${encodeURIComponent(redirectURL)}`, {
    sub: '1815',
    email,
    name: 'Ada',
  })
  await recording.send('POST', auth('auth-with-oauth2'), {
    request: 'CodeOfProvider',
    response: 'SessionByProvider',
    body: {
      provider: provider.name,
      code: visited.searchParams.get('code'),
      codeVerifier: provider.codeVerifier,
      redirectURL,
    },
  })
}

async function useEmailFlows(recording: Recording): Promise<void> {
  const emailed = /\/confirm-[a-z-]+\/([\w.-]+)/
  await recording.send('POST', auth('request-password-reset'), {
    request: 'EmailOfMember',
    body: { email },
    expected: 204,
  })
  await recording.send('POST', auth('confirm-password-reset'), {
    request: 'NewPassword',
    body: {
      token: await recording.mailed(emailed),
      password: 'another-password',
      passwordConfirm: 'another-password',
    },
    expected: 204,
  })
  const { token: fresh } = await recording.send('POST', auth('auth-with-password'), {
    body: { identity: email, password: 'another-password' },
  })
  await recording.send('POST', auth('request-email-change'), {
    request: 'NewEmailOfMember',
    token: String(fresh),
    body: { newEmail: 'countess@example.com' },
    expected: 204,
  })
  await recording.send('POST', auth('confirm-email-change'), {
    request: 'ChangeOfEmail',
    body: { token: await recording.mailed(emailed), password: 'another-password' },
    expected: 204,
  })
  const other = 'joan@example.com'
  await recording.send('POST', '/api/v1/collections/members/records', {
    body: { email: other, password, passwordConfirm: password },
  })
  await recording.send('POST', auth('request-verification'), { body: { email: other }, expected: 204 })
  await recording.send('POST', auth('confirm-verification'), {
    request: 'ProofOfAddress',
    body: { token: await recording.mailed(emailed) },
    expected: 204,
  })
}
