/**
 * The least that the document allows: records, sign-in by password, refresh. One page size, one condition, one order. The
 * response to a write has no body, that to a rejected request is a JSON string, and an account has one token at a time.
 * Everything else is declared absent in its target file.
 *
 * @module
 */

import { type Context, Hono } from 'hono'
import { bodyObject, type Fields, hashed, RejectedRequest, secrets, timestamp } from './plumbing.ts'
import type { LawfulServer, RunningServer, Surroundings } from './server.ts'

type Thing = Fields & { id: string }

const root = 'the-only-superuser-token'
const perPage = 8
/** Which fields sign in, by auth table. */
const identities: Record<string, readonly string[]> = {
  users: ['email', 'username'],
  helpers: ['email'],
  nicks: ['username'],
  nobodies: [],
  flies: ['email'],
}

function start({ seed }: Surroundings): RunningServer {
  const secret = secrets(seed, 'minimal')
  const names = ['texts', 'nodes', 'all', 'mine', 'shut', ...Object.keys(identities)]
  const things = new Map(names.map((name) => [name, new Map<string, Thing>()]))
  const accounts = new Map<string, { hash: string; token: string; until: number }>()
  let ahead = 0
  const now = () => Date.now() + ahead
  const stop = (status: RejectedRequest['status']): never => {
    throw new RejectedRequest(status, `${status}`)
  }
  const nameOf = ({ req }: Context): string => {
    const segment = req.param('table') ?? ''
    return names.find((name, index) => name === segment || `${index}` === segment) ?? stop(404)
  }
  const shown = (name: string, { id, password: _never, ...rest }: Thing) => ({
    id,
    collectionId: `${names.indexOf(name)}`,
    collectionName: name,
    ...rest,
  })
  /** The owner of the token in a request: an id, `root`, or undefined. */
  const caller = ({ req }: Context): string | undefined => {
    const token = req.header('authorization')
    if (token === root) return 'root'
    return [...accounts].find(([, account]) => account.token === token && account.until > now())?.[0]
  }

  function guard(context: Context, name: string, thing?: Fields): void {
    const [who, { method }] = [caller(context), context.req]
    if (who === 'root') return
    if (name === 'shut') stop(403)
    if (name === 'mine' && (who === undefined || !things.get('users')?.has(who))) stop(403)
    if (name === 'mine' && thing !== undefined && thing.owner !== who) stop(403)
    if (name in identities && /PATCH|DELETE/.test(method) && thing?.id !== who) stop(403)
  }

  async function bodyOf(context: Context): Promise<Fields> {
    const body = (await bodyObject(context.req.raw)) ?? stop(400)
    const given = Object.entries(body).filter(
      ([field]) => !/^(id|collectionId|collectionName|created|updated|stamp|verified)$/.test(field),
    )
    return Object.fromEntries(given)
  }

  function save(name: string, { password, ...body }: Fields, before?: Thing): Thing {
    const id = before?.id ?? secret(5).toString('hex')
    const updated = timestamp(now())
    const thing: Thing = { created: updated, ...before, ...body, id, updated }
    if (name === 'all') thing.stamp = updated
    if (name in identities) {
      thing.verified = false
      if (typeof password === 'string' && password !== '')
        accounts.set(id, { hash: hashed(password), token: secret(20).toString('hex'), until: 0 })
      else if (before === undefined) stop(400)
    }
    things.get(name)?.set(id, thing)
    return thing
  }

  const app = new Hono().basePath('/api/v1/collections/:table')
  app.get('/records', (context) => {
    const [name, { page: asked = '1', where, order, bring = '' }] = [nameOf(context), context.req.query()]
    guard(context, name)
    const who = caller(context)
    let found = [...(things.get(name)?.values() ?? [])]
    if (name === 'mine' && who !== 'root') found = found.filter(({ owner }) => owner === who)
    const [field = '', ...value] = (where ?? '').split('=')
    if (where !== undefined) found = found.filter((thing) => `${thing[field]}` === value.join('='))
    const by = order?.replace('-', '')
    if (by !== undefined) found.sort((a, b) => Number(a[by] ?? 0) - Number(b[by] ?? 0))
    if (order?.startsWith('-')) found.reverse()
    const page = Math.max(1, Number.parseInt(asked, 10) || 1)
    const items = found.slice((page - 1) * perPage, page * perPage).map((thing) => {
      const other = things.get('nodes')?.get(`${thing[bring]}`)
      return { ...shown(name, thing), ...(other && { [`${bring}Record`]: shown('nodes', other) }) }
    })
    const totalPages = Math.ceil(found.length / perPage)
    return context.json({ page, perPage, totalItems: found.length, totalPages, items })
  })
  app.post('/records', async (context) => {
    const [name, body] = [nameOf(context), await bodyOf(context)]
    guard(context, name, name === 'mine' ? body : undefined)
    const { id } = save(name, body)
    return context.body(null, 204, { location: `/api/v1/collections/${name}/records/${id}` })
  })
  app.on(['GET', 'PATCH', 'DELETE'], '/records/:id', async (context) => {
    const name = nameOf(context)
    const thing = things.get(name)?.get(context.req.param('id')) ?? stop(404)
    guard(context, name, thing)
    if (context.req.method === 'GET') return context.json(shown(name, thing))
    if (context.req.method === 'PATCH') save(name, await bodyOf(context), thing)
    else {
      things.get(name)?.delete(thing.id)
      accounts.delete(thing.id)
    }
    return context.body(null, 204)
  })

  const auth = (context: Context): string => {
    const name = nameOf(context)
    return name in identities ? name : stop(404)
  }
  /** The token of an account, which is the same for as long as its password. */
  const letIn = (context: Context, name: string, id: string) => {
    const [account, thing] = [accounts.get(id) ?? stop(404), things.get(name)?.get(id) ?? stop(404)]
    account.until = now() + (name === 'flies' ? 10_000 : 86_400_000)
    return context.json({ token: account.token, record: shown(name, thing) })
  }
  app.get('/auth-methods', (context) =>
    context.json(identities[auth(context)]?.length === 0 ? [] : ['password', 'refresh']),
  )
  app.post('/auth-with-password', async (context) => {
    const [name, { identity, password }] = [auth(context), (await bodyObject(context.req.raw)) ?? {}]
    if (typeof identity !== 'string' || identity === '') stop(400)
    const thing = [...(things.get(name)?.values() ?? [])].find((each) =>
      identities[name]?.some((field) => each[field] === identity),
    )
    if (thing === undefined || accounts.get(thing.id)?.hash !== hashed(`${password}`)) return stop(400)
    return letIn(context, name, thing.id)
  })
  app.post('/auth-refresh', (context) => {
    const [name, who] = [auth(context), caller(context) ?? '']
    return things.get(name)?.has(who) ? letIn(context, name, who) : stop(403)
  })

  const server = new Hono().route('/', app)
  server.notFound((context) => context.json('501', 501))
  server.onError((error, context) =>
    context.json(error.message, error instanceof RejectedRequest ? error.status : 500),
  )
  return {
    fetch: (request) => server.fetch(request),
    hooks: {
      clock: ({ advance }) => {
        ahead += Number(advance) * 1_000
        return { now: timestamp(now()) }
      },
    },
  }
}

export const minimal: LawfulServer = {
  name: 'minimal',
  start,
  target: {
    notApplicable: {
      'list.sort-text': 'lists are sorted by numbers only',
      'field-types.all': 'files are uploaded in a way that the document does not show',
    },
    binding: {
      'list.sort': 'order',
      'list.filter': 'where',
      'list.expand': 'bring',
      'filter.equals': '{field}={value}',
      'signUp.passwordConfirm': 'password',
    },
    capabilities: {
      batch: false,
      otp: false,
      mfa: false,
      oauth2: false,
      impersonation: false,
      apiKeys: false,
      mail: false,
    },
    operations: {
      requestVerification: false,
      confirmVerification: false,
      requestPasswordReset: false,
      confirmPasswordReset: false,
      requestEmailChange: false,
      confirmEmailChange: false,
    },
    tables: {
      plain: { name: 'texts', fields: { title: 'text' } },
      related: { name: 'nodes' },
      everything: { name: 'all' },
      owned: { name: 'mine' },
      locked: { name: 'shut' },
      members: { name: 'users' },
      staff: { name: 'helpers' },
      named: { name: 'nicks' },
      passwordless: { name: 'nobodies' },
      shortlived: { name: 'flies' },
    },
    credentials: { superuser: { token: root } },
  },
}
