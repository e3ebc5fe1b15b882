/**
 * A document store. A document has only the fields that a write has set; there is no schema and no foreign key. Pages
 * count from 0, the response to a write is a receipt, deletes are idempotent, a batch that fails is undone step by step,
 * and an API key may read or write.
 *
 * @module
 */

import { setImmediate as turn } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import { isObject } from '../../../exchange/json-object.ts'
import {
  bodyObject,
  type Fields,
  hashed,
  mailer,
  person,
  RejectedRequest,
  secrets,
  timestamp,
  visit,
} from './plumbing.ts'
import type { LawfulServer, RunningServer, Surroundings } from './server.ts'

type Doc = Fields & { id: string; created: string; updated: string }

interface Collection {
  id: string
  docs: Map<string, Doc>
  /** People sign in with one of these keys of their document. */
  handles?: string[]
  methods?: string[]
  /** Seconds. */
  session?: number
  /** No two documents have the same value there. */
  index?: string
  readers: 'everyone' | 'owners' | 'nobody'
}

interface Actor {
  collection: string
  id: string
  ends: number
}

const root = 'root_b2e07c55d1'
/** Never shown. */
const hidden = new Set(['password', '_hash'])
const reserved = new Set(['id', 'collectionId', 'collectionName', 'created', 'updated', '_hash', 'stamp'])

function collections(): Record<string, Collection> {
  const made = (more: Partial<Collection> = {}): Collection => ({
    id: '',
    docs: new Map(),
    readers: 'everyone',
    ...more,
  })
  const people = (handles: string, methods: string, session = 7_200) =>
    made({ handles: handles.split(' '), methods: methods.split(' '), session, index: 'email' })
  const all = {
    memos: made(),
    topics: made(),
    things: made(),
    leaves: made(),
    twigs: made(),
    tickets: made({ index: 'code' }),
    diaries: made({ readers: 'owners' }),
    cellar: made({ readers: 'nobody' }),
    folk: people('email username', 'password one-time'),
    crew: people('email', 'password'),
    aliases: people('username', 'password'),
    cautious: people('email', 'password one-time second-factor'),
    visitors: people('email', 'password oauth2'),
    mailers: people('email', 'one-time'),
    mayflies: people('email', 'password', 10),
  }
  for (const [name, each] of Object.entries<Collection>(all)) each.id = `col:${name}`
  return all
}

function start(surroundings: Surroundings): RunningServer {
  const all = collections()
  const { provider } = surroundings
  const send = mailer(surroundings)
  const secret = secrets(surroundings.seed, 'documents')
  const opaque = (prefix: string) => `${prefix}_${secret(21).toString('base64url').replaceAll('-', 'z')}`
  const sessions = new Map<string, Actor>()
  const keys = new Map<string, { id: string; collections: string[]; reads: boolean; writes: boolean }>()
  const challenges = new Map<string, { collection: string; id: string; answer: string; ends: number }>()
  const halves = new Map<string, { collection: string; id: string; by: string }>()
  const letters = new Map<string, { flow: string; collection: string; id: string; address: string }>()
  let drift = 0
  const now = () => Date.now() + drift * 1_000

  const fail = (status: RejectedRequest['status'], reason: string): never => {
    throw new RejectedRequest(status, reason)
  }
  const nameOf = (segment: string): string =>
    Object.keys(all).find((name) => name === segment || all[name]?.id === segment) ??
    fail(404, 'no collection')
  const at = (name: string): Collection => all[name] ?? fail(404, 'no collection')
  const find = (name: string, test: (doc: Doc) => boolean) => [...at(name).docs.values()].find(test)

  function view(name: string, doc: Doc): Fields {
    const open = Object.entries(doc).filter(([key]) => !hidden.has(key))
    return { ...Object.fromEntries(open), collectionId: at(name).id, collectionName: name }
  }

  function actorOf(context: Context) {
    const token = context.req.header('authorization') ?? ''
    const session = sessions.get(token)
    const live = session && session.ends > now() && at(session.collection).docs.has(session.id)
    return { root: token === root, key: keys.get(token), me: live ? session : undefined }
  }
  type Caller = ReturnType<typeof actorOf>

  function mayRead({ root, key, me }: Caller, name: string, doc: Doc): boolean {
    if (root || key !== undefined) return root || (key?.reads === true && key.collections.includes(name))
    const { readers } = at(name)
    return (
      readers === 'everyone' || (readers === 'owners' && me?.collection === 'folk' && doc.owner === me.id)
    )
  }

  function mayWrite({ root, key, me }: Caller, name: string, doc: Fields, fresh: boolean): boolean {
    if (root || key !== undefined) return root || (key?.writes === true && key.collections.includes(name))
    const { readers, handles } = at(name)
    if (handles !== undefined) return fresh || (me?.collection === name && me.id === doc.id)
    return (
      readers === 'everyone' || (readers === 'owners' && me?.collection === 'folk' && doc.owner === me.id)
    )
  }

  /** Sets what was sent; null, and an empty reference, unset. */
  function merge(name: string, doc: Doc, body: Fields, trusted: boolean): void {
    const { handles, index } = at(name)
    for (const [key, value] of Object.entries(body)) {
      if (reserved.has(key) || (handles !== undefined && key === 'verified' && !trusted)) continue
      if (handles !== undefined && key === 'secret') continue
      if (key === index && value !== '' && find(name, (each) => each.id !== doc.id && each[key] === value))
        fail(409, `${key} is taken`)
      const reference = /^(parent|owner|one|twin|relation|select)$/.test(key)
      if (value === null || (value === '' && reference)) delete doc[key]
      else doc[key] = value
    }
    doc.updated = timestamp(now())
    if (name === 'things') doc.stamp = doc.updated
  }

  function insert(name: string, body: Fields, caller: Caller, trusted = caller.root): Doc {
    if (!trusted && !mayWrite(caller, name, body, true)) fail(403, 'not allowed')
    const id = secret(12).toString('hex')
    const doc: Doc = { id, created: timestamp(now()), updated: '' }
    if (at(name).handles !== undefined) {
      if (typeof body.secret !== 'string' || body.secret === '') fail(400, 'a secret is needed')
      Object.assign(doc, { verified: false, _hash: hashed(String(body.secret)) })
    }
    merge(name, doc, body, trusted)
    at(name).docs.set(id, doc)
    return doc
  }

  /** A write by its path, and how it is undone. */
  function write(caller: Caller, method: string, name: string, id: string | undefined, body: Fields) {
    const { docs } = at(name)
    if (method === 'POST' && id === undefined) {
      const { id: born } = insert(name, body, caller)
      return { receipt: { ok: true, id: born }, undo: () => docs.delete(born) }
    }
    const doc = docs.get(id ?? '')
    if (doc === undefined) {
      if (method === 'DELETE' && mayWrite(caller, name, {}, false))
        return { receipt: { ok: true, deleted: 0 }, undo: () => {} }
      return fail(404, 'no document')
    }
    if (!mayWrite(caller, name, doc, false)) fail(mayRead(caller, name, doc) ? 403 : 404, 'not allowed')
    if (method === 'DELETE') {
      const order = [...docs]
      docs.delete(doc.id)
      const undo = () => {
        const later = [...docs].filter(([key]) => !order.some(([each]) => each === key))
        docs.clear()
        for (const [key, each] of [...order, ...later]) docs.set(key, each)
      }
      return { receipt: { ok: true, deleted: 1 }, undo }
    }
    if (method !== 'PATCH') fail(405, method)
    const before = structuredClone(doc)
    const changed = structuredClone(doc)
    merge(name, changed, body, caller.root)
    if (at(name).handles !== undefined && typeof body.secret === 'string') changed._hash = hashed(body.secret)
    docs.set(doc.id, changed)
    return { receipt: { ok: true, at: changed.updated }, undo: () => docs.set(doc.id, before) }
  }

  const bodyOf = async ({ req }: Context): Promise<Fields> => {
    if (!req.header('content-type')?.includes('json')) fail(415, 'documents are JSON')
    return (await bodyObject(req.raw)) ?? fail(400, 'not a JSON object')
  }

  const app = new Hono()
  const api = app.basePath('/api/v1')
  const home = '/collections/:name'
  api.get(`${home}/records`, (context) => {
    const [name, caller, query] = [nameOf(context.req.param('name')), actorOf(context), context.req.query()]
    const keyed = caller.key?.reads === true && caller.key.collections.includes(name)
    if (at(name).readers === 'nobody' && !caller.root && !keyed) fail(403, 'not allowed')
    const numeric = (key: string, otherwise: number) =>
      /^\d{1,9}$/.test(query[key] ?? '') ? Number(query[key]) : otherwise
    const perPage = Math.min(numeric('limit', 50), 100) || 50
    const page = numeric('page', 0)
    const parsed = (key: string): [string, unknown][] => {
      try {
        return Object.entries(JSON.parse(query[key] ?? '{}'))
      } catch {
        return fail(400, `${key} is not JSON`)
      }
    }
    const conditions = parsed('match')
    const found = [...at(name).docs.values()].filter(
      (doc) => mayRead(caller, name, doc) && conditions.every(([key, value]) => String(doc[key]) === value),
    )
    for (const [key, direction] of parsed('sort'))
      found.sort((a, b) => {
        const [one, other] = [a[key] as number, b[key] as number]
        return Number(direction) * (one < other ? -1 : one > other ? 1 : 0)
      })
    const items = found.slice(page * perPage, (page + 1) * perPage).map((doc) => {
      const embedded = (query.populate ?? '').split(',').flatMap((key) => {
        const other = at(name).docs.get(String(doc[key])) ?? all.topics?.docs.get(String(doc[key]))
        return other === undefined ? [] : [[key, view(at(name).docs.has(other.id) ? name : 'topics', other)]]
      })
      return { ...view(name, doc), ...(embedded.length > 0 && { _embedded: Object.fromEntries(embedded) }) }
    })
    return context.json({
      page,
      perPage,
      totalItems: found.length,
      totalPages: Math.ceil(found.length / perPage),
      items,
    })
  })
  api.get(`${home}/records/:id`, (context) => {
    const name = nameOf(context.req.param('name'))
    const doc = at(name).docs.get(context.req.param('id'))
    if (doc === undefined || !mayRead(actorOf(context), name, doc)) return fail(404, 'no document')
    return context.json({ ...view(name, doc), _etag: hashed(JSON.stringify(doc)).slice(0, 12) })
  })
  api.on(['POST', 'PATCH', 'DELETE'], [`${home}/records`, `${home}/records/:id`], async (context) => {
    const { method } = context.req
    const name = nameOf(context.req.param('name'))
    const body = method === 'DELETE' ? {} : await bodyOf(context)
    return context.json(write(actorOf(context), method, name, context.req.param('id'), body).receipt)
  })
  api.post('/batch', async (context) => {
    const [caller, { requests }] = [actorOf(context), await bodyOf(context)]
    if (!Array.isArray(requests)) return fail(400, 'requests is not an array')
    const done: ReturnType<typeof write>[] = []
    try {
      for (const each of requests as unknown[]) {
        const { method, url, body } = isObject(each) ? each : fail(400, 'no request')
        const [, , , , segment = '', , id] = decodeURIComponent(String(url)).split('/')
        done.push(write(caller, String(method), nameOf(segment), id, isObject(body) ? body : {}))
        // Each write is visible to everyone immediately: nothing is locked.
        await turn()
      }
    } catch (error) {
      for (const { undo } of done.reverse()) undo()
      throw error
    }
    return context.json({ written: done.length })
  })

  const people = (context: Context, method?: string): string => {
    const name = nameOf(context.req.param('name') ?? '')
    const { methods } = at(name)
    if (methods === undefined) return fail(404, 'sign-in is not available here')
    return method === undefined || methods.includes(method) ? name : fail(403, 'switched off')
  }
  function session(collection: string, id: string): { token: string; record: Fields } {
    const token = opaque('ses')
    const doc = at(collection).docs.get(id) ?? fail(404, 'no document')
    sessions.set(token, { collection, id, ends: now() + (at(collection).session ?? 0) * 1_000 })
    return { token, record: view(collection, doc) }
  }
  /** The response to the first of two factors has the status of a complete sign-in: 200. */
  function enter(collection: string, id: string, by: string, mfaId: unknown): Fields {
    if (at(collection).methods?.includes('second-factor') !== true) return session(collection, id)
    const half = halves.get(String(mfaId))
    if (half !== undefined && half.collection === collection && half.id === id && half.by !== by) {
      halves.delete(String(mfaId))
      return session(collection, id)
    }
    const fresh = opaque('half')
    halves.set(fresh, { collection, id, by })
    return { mfaId: fresh, next: by === 'password' ? 'one-time' : 'password' }
  }
  api.get(`${home}/auth-methods`, (context) => {
    const { methods = [] } = at(people(context))
    return context.json({
      methods: ['password', 'one-time', 'second-factor', 'oauth2'].map((name) => ({
        name,
        enabled: methods.includes(name),
        ...(name === 'oauth2' &&
          methods.includes(name) && {
            providers: [{ name: 'oidc', ...visit(provider, opaque('v').repeat(2)) }],
          }),
      })),
    })
  })
  api.post(`${home}/auth-with-password`, async (context) => {
    const [name, { identity, password, mfaId }] = [people(context, 'password'), await bodyOf(context)]
    const doc = find(name, (each) => at(name).handles?.some((key) => each[key] === identity) === true)
    if (typeof identity !== 'string' || doc?._hash !== hashed(String(password))) return fail(400, 'wrong')
    return context.json(enter(name, doc.id, 'password', mfaId))
  })
  api.post(`${home}/request-otp`, async (context) => {
    const [name, { email }] = [people(context, 'one-time'), await bodyOf(context)]
    const doc = find(name, (each) => each.email === email) ?? fail(400, 'no account has this address')
    const response = [...secret(6)].map((byte) => 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'[byte % 32]).join('')
    const otpId = opaque('otp')
    challenges.set(otpId, { collection: name, id: doc.id, answer: response, ends: now() + 300_000 })
    await send(String(doc.email), 'Sign in', `Hello!\n\nYour code: ${response}\n`)
    return context.json({ otpId }, 202)
  })
  api.post(`${home}/auth-with-otp`, async (context) => {
    const [name, { otpId, answer: response, mfaId }] = [people(context, 'one-time'), await bodyOf(context)]
    const challenge = challenges.get(String(otpId))
    if (challenge?.collection !== name || challenge.answer !== response || challenge.ends < now())
      return fail(400, 'wrong')
    challenges.delete(String(otpId))
    return context.json(enter(name, challenge.id, 'one-time', mfaId))
  })
  api.post(`${home}/auth-with-oauth2`, async (context) => {
    const [name, body] = [people(context, 'oauth2'), await bodyOf(context)]
    const { code, codeVerifier, redirectURL } = body
    if (body.provider !== 'oidc' || !code || !codeVerifier || !redirectURL) return fail(400, 'incomplete')
    const asked = { code: `${code}`, verifier: `${codeVerifier}`, redirectURL: `${redirectURL}` }
    const who = (await person(provider, asked)) ?? fail(400, 'the provider says no')
    const known =
      find(name, ({ _subject }) => _subject === who.sub) ??
      insert(name, { email: who.email, secret: opaque('none'), _subject: who.sub }, actorOf(context), true)
    return context.json(enter(name, known.id, 'oauth2', body.mfaId))
  })
  api.post(`${home}/auth-refresh`, (context) => {
    const [name, { me }] = [people(context), actorOf(context)]
    if (me?.collection !== name) return fail(401, 'sign in first')
    // It is this session that lasts longer.
    me.ends = now() + (at(name).session ?? 0) * 1_000
    return context.body(null, 204)
  })
  api.post(`${home}/impersonate/:id`, (context) => {
    const name = people(context)
    if (!actorOf(context).root) return fail(403, 'for the root only')
    return context.json({ session: session(name, context.req.param('id')) }, 201)
  })

  async function letter(flow: string, collection: string, id: string, address: string): Promise<void> {
    const token = opaque('t').slice(2)
    letters.set(token, { flow, collection, id, address })
    await send(address, flow, `https://docs.example.com/go?to=confirm-${flow}&token=${token}`)
  }
  function opened(flow: string, collection: string, token: unknown): { doc: Doc; address: string } {
    const kept = letters.get(String(token))
    if (kept?.flow !== flow || kept.collection !== collection) return fail(400, 'no such letter')
    letters.delete(String(token))
    return { doc: at(collection).docs.get(kept.id) ?? fail(410, 'gone'), address: kept.address }
  }
  for (const flow of ['verification', 'password-reset'])
    api.post(`${home}/request-${flow}`, async (context) => {
      const [name, { email }] = [people(context), await bodyOf(context)]
      const doc = find(name, (each) => each.email === email) ?? fail(400, 'no account has this address')
      await letter(flow, name, doc.id, String(email))
      return context.json({ ok: true }, 202)
    })
  api.post(`${home}/request-email-change`, async (context) => {
    const [name, { me }, { newEmail }] = [people(context), actorOf(context), await bodyOf(context)]
    if (me?.collection !== name) return fail(401, 'sign in first')
    if (typeof newEmail !== 'string' || find(name, ({ email }) => email === newEmail)) fail(409, 'taken')
    await letter('email-change', name, me.id, String(newEmail))
    return context.json({ ok: true }, 202)
  })
  api.post(`${home}/confirm-verification`, async (context) => {
    const { doc, address } = opened('verification', people(context), (await bodyOf(context)).token)
    if (doc.email !== address) return fail(410, 'the letter was for another address')
    doc.verified = true
    return context.json({ ok: true })
  })
  api.post(`${home}/confirm-password-reset`, async (context) => {
    const [name, { token, secret: word }] = [people(context), await bodyOf(context)]
    if (typeof word !== 'string' || word === '') fail(400, 'a secret is needed')
    const { doc } = opened('password-reset', name, token)
    doc._hash = hashed(String(word))
    for (const [each, { id }] of sessions) if (id === doc.id) sessions.delete(each)
    return context.json({ ok: true })
  })
  api.post(`${home}/confirm-email-change`, async (context) => {
    const { doc, address } = opened('email-change', people(context), (await bodyOf(context)).token)
    doc.email = address
    return context.json({ ok: true })
  })
  app.notFound((context) => context.json({ reason: 'no such place' }, 404))
  app.onError((error, context) =>
    context.json({ reason: error.message }, error instanceof RejectedRequest ? error.status : 500),
  )

  return {
    fetch: (request) => app.fetch(request),
    hooks: {
      clock: ({ advance }) => {
        drift += Number(advance)
        return { now: now() }
      },
      createApiKey: ({ tables, actions }) => {
        const key = opaque('key')
        const wanted = actions as string[]
        const reads = wanted.some((action) => action === 'list' || action === 'view')
        const writes = wanted.some((action) => action !== 'list' && action !== 'view')
        keys.set(key, { id: opaque('id'), collections: tables as string[], reads, writes })
        return { id: keys.get(key)?.id, key }
      },
      revokeApiKey: ({ id }) => {
        for (const [key, each] of keys) if (each.id === id) keys.delete(key)
      },
    },
  }
}

export const documents: LawfulServer = {
  name: 'documents',
  start,
  target: {
    notApplicable: {
      'batch.parent-with-children': 'a batch cannot name the id of a record that it creates',
      'field-types.all': 'files are uploaded in a way that the document does not show',
    },
    binding: {
      'list.perPage': 'limit',
      'list.filter': 'match',
      'list.expand': 'populate',
      'filter.equals': '{"{field}":"{value}"}',
      'sort.ascending': '{"{field}":1}',
      'sort.descending': '{"{field}":-1}',
      'otp.code': 'answer',
      'signUp.password': 'secret',
      'signUp.passwordConfirm': 'secret',
      'passwordReset.password': 'secret',
      'passwordReset.passwordConfirm': 'secret',
    },
    capabilities: { batch: true, otp: true, mfa: true, oauth2: true },
    tables: {
      plain: { name: 'memos' },
      related: { name: 'topics' },
      everything: { name: 'things' },
      cascading: { name: 'leaves' },
      loose: { name: 'twigs' },
      unique: { name: 'tickets' },
      owned: { name: 'diaries' },
      locked: { name: 'cellar' },
      members: { name: 'folk' },
      staff: { name: 'crew' },
      named: { name: 'aliases' },
      mfa: { name: 'cautious' },
      oauth: { name: 'visitors' },
      passwordless: { name: 'mailers' },
      shortlived: { name: 'mayflies' },
    },
    credentials: { superuser: { token: root } },
  },
}
