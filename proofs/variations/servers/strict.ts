/**
 * A server that takes nothing which it does not know: an unknown key, an unknown or repeated parameter, a value of another
 * type, a page out of range, a body under another media type are all rejected with a problem document (RFC 9457). Its
 * tokens are signed and hold their own facts; one wrong attempt ends a code.
 *
 * @module
 */

import { createHmac } from 'node:crypto'
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
} from './plumbing.ts'
import type { LawfulServer, RunningServer, Surroundings } from './server.ts'
import {
  admin,
  checks,
  exact,
  type Item,
  plan,
  type Shelf,
  type StrictClaims,
  strictForm,
  strictUuid,
  text,
} from './strict-forms.ts'

function start(surroundings: Surroundings): RunningServer {
  const { provider, seed } = surroundings
  const send = mailer(surroundings)
  const secret = secrets(seed, 'strict')
  const seal = secret(32)
  const shelves = new Map(
    plan.map(([name, fields, access, signIn, seconds = 3_600]): [string, Shelf] => [
      name,
      {
        id: name.toUpperCase(),
        fields: Object.fromEntries(fields.split(' ').map((each) => each.split(':') as [string, string])),
        access,
        signIn: signIn.split(' ').filter(Boolean),
        seconds,
        items: new Map(),
      },
    ]),
  )
  const accounts = new Map<string, { hash: string; generation: number; subject?: string }>()
  const keys = new Map<string, { tables: string[]; actions: string[] }>()
  const codes = new Map<string, { shelf: string; id: string; code: string; ends: number }>()
  const factors = new Map<string, { id: string; by: string }>()
  const used = new Set<string>()
  let ahead = 0
  const seconds = () => Math.floor((Date.now() + ahead) / 1_000)
  const reject = (status: RejectedRequest['status'], detail: string): never => {
    throw new RejectedRequest(status, detail)
  }

  const mac = (payload: string) => createHmac('sha256', seal).update(payload).digest('base64url')
  function sign(kind: string, shelf: string, id: string, lasts: number, to?: string): string {
    const generation = accounts.get(id)?.generation ?? 0
    const claims: StrictClaims = { kind, shelf, id, generation, ends: seconds() + lasts, ...(to && { to }) }
    const payload = Buffer.from(JSON.stringify({ ...claims, nonce: secret(6).toString('hex') })).toString(
      'base64url',
    )
    return `v1.${payload}.${mac(payload)}`
  }
  function read(token: unknown, kind: string, name?: string): StrictClaims | undefined {
    const [version, payload = '', signature, ...more] = String(token).split('.')
    if (version !== 'v1' || more.length > 0 || signature !== mac(payload) || used.has(signature))
      return undefined
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as StrictClaims
    const fresh = claims.ends > seconds() && accounts.get(claims.id)?.generation === claims.generation
    return fresh && claims.kind === kind && (name ?? claims.shelf) === claims.shelf ? claims : undefined
  }

  function caller(context: Context) {
    const token = context.req.header('authorization')
    const key = keys.get(token ?? '')
    const session = token === undefined ? undefined : read(token, 'session')
    if (token !== undefined && token !== admin && !key && !session) reject(401, 'This token is not valid.')
    return { admin: token === admin, key, session }
  }
  type Caller = ReturnType<typeof caller>

  function shelfOf(segment: string): [string, Shelf] {
    return (
      [...shelves].find(([name, { id }]) => name === segment || id === segment) ??
      reject(404, 'No such table.')
    )
  }

  function permit(
    { admin: mighty, key, session }: Caller,
    name: string,
    action: string,
    owner?: unknown,
  ): void {
    const { access } = shelves.get(name) as Shelf
    const reading = action === 'list' || action === 'view'
    const allowed =
      mighty ||
      (key?.tables.includes(name) && key.actions.includes(action)) ||
      (!key && access === 'open') ||
      (!key && access === 'self' && (reading || action === 'create' || session?.id === owner)) ||
      (!key &&
        access === 'owner' &&
        session?.shelf === 'citizens' &&
        (action === 'list' || session.id === owner))
    if (!allowed) reject(session || key ? 403 : 401, `You may not ${action} here.`)
  }

  const shown = (name: string, { id, ...rest }: Item): Item => {
    const { id: collectionId, fields } = shelves.get(name) as Shelf
    const open = Object.entries(rest).filter(([field]) => fields[field] !== 'secret')
    return { id, collectionId, collectionName: name, ...Object.fromEntries(open) }
  }

  /** The fields of a body, each known, writable and of its type. */
  function values(name: string, body: Fields, { admin: mighty }: Caller, id?: string): Fields {
    const { fields, items } = shelves.get(name) as Shelf
    for (const [field, value] of Object.entries(body)) {
      const type = Object.hasOwn(fields, field)
        ? (fields[field] ?? '')
        : reject(422, `${field} is not a field.`)
      if (type === 'auto' || (field === 'verified' && !mighty)) reject(422, `${field} cannot be written.`)
      const exists = (each: unknown) => [...shelves.values()].some((shelf) => shelf.items.has(String(each)))
      const fits =
        value === null ||
        (type === 'ref' && text(value) && exists(value)) ||
        (type === 'refs' && Array.isArray(value) && value.every(exists)) ||
        checks[type.replace('!', '')]?.(value) === true
      if (!fits) reject(422, `${field} is not of type ${type}.`)
      const unique =
        type.endsWith('!') || (accounts.size > 0 && field === 'email' && shelves.get(name)?.access === 'self')
      if (
        unique &&
        value !== null &&
        [...items.values()].some((each) => each.id !== id && each[field] === value)
      )
        reject(409, `${field} is taken.`)
    }
    return body
  }

  function add(name: string, { id = nextId(), ...body }: Fields, who: Caller): Item {
    const { access, fields, items } = shelves.get(name) as Shelf
    const { password, passwordConfirm, ...rest } = body
    const own = access === 'self' ? rest : body
    if (!text(id) || !strictUuid.test(String(id))) reject(422, 'An id is a UUID of version 4.')
    // An account is known by its id alone: no other table may have the same one.
    if (items.has(String(id)) || (access === 'self' && accounts.has(String(id))))
      reject(409, 'The id is taken.')
    if (access === 'self' && (!checks.secret?.(password) || password !== passwordConfirm))
      reject(422, 'A password is at least 8 characters, twice the same.')
    const at = timestamp(Date.now() + ahead)
    const empty = Object.fromEntries(Object.keys(fields).map((field) => [field, null]))
    const item: Item = { id: String(id), ...empty, ...values(name, own, who), created: at, updated: at }
    if ('stamp' in fields) item.stamp = at
    if (access === 'self') {
      item.verified = own.verified === true
      accounts.set(item.id, { hash: hashed(String(password)), generation: 1 })
    }
    items.set(item.id, item)
    return item
  }

  const nextId = () => {
    const hex = secret(16).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }

  function write(who: Caller, method: string, name: string, id: string | undefined, body: Fields): Item {
    const { access, fields, items } = shelves.get(name) as Shelf
    if (method === 'POST' && id === undefined) {
      permit(who, name, 'create', access === 'self' ? undefined : body.owner)
      return add(name, body, who)
    }
    const item = items.get(id ?? '') ?? reject(404, 'No such record.')
    permit(who, name, method === 'PATCH' ? 'update' : 'delete', access === 'self' ? item.id : item.owner)
    if (method === 'DELETE') {
      items.delete(item.id)
      accounts.delete(item.id)
      return item
    }
    const { password, passwordConfirm, oldPassword, ...rest } = body
    const secret = access === 'self' && password !== undefined ? accounts.get(item.id) : undefined
    if (
      secret &&
      (password !== passwordConfirm || (!who.admin && secret.hash !== hashed(String(oldPassword))))
    )
      reject(422, 'A new password comes twice, and with the old one.')
    Object.assign(item, values(name, access === 'self' ? rest : body, who, item.id))
    item.updated = timestamp(Date.now() + ahead)
    if ('stamp' in fields) item.stamp = item.updated
    if (secret) accounts.set(item.id, { hash: hashed(String(password)), generation: secret.generation + 1 })
    return item
  }

  function list(context: Context, name: string, visible: (item: Item) => boolean): Fields {
    const { fields, items } = shelves.get(name) as Shelf
    const given = context.req.queries()
    for (const [parameter, { length }] of Object.entries(given))
      if (!['page', 'perPage', 'filter', 'sort', 'expand'].includes(parameter) || length !== 1)
        reject(400, `The parameter ${parameter} is unknown, or comes twice.`)
    const known = (field = '') =>
      ['id', ...Object.keys(fields)].includes(field) ? field : reject(400, `No field ${field}.`)
    const whole = (parameter: string, otherwise: string, most: number) => {
      const [value = otherwise] = given[parameter] ?? []
      if (!/^[1-9]\d*$/.test(value) || Number(value) > most) reject(400, `${parameter} is out of range.`)
      return Number(value)
    }
    const [filter] = given.filter ?? []
    const [, field, value] = /^(\w+)==(.*)$/s.exec(filter ?? '') ?? []
    if (filter !== undefined) known(field)
    const found = [...items.values()].filter(
      (item) => visible(item) && (!filter || String(item[field ?? '']) === value),
    )
    for (const [, sign, by] of [/^([+-])(\w+)$/.exec(given.sort?.[0] ?? '+id') ?? reject(400, 'No order.')]) {
      const key = known(by)
      const rank = (item: Item) => item[key] as number
      found.sort(
        (a, b) =>
          (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : a.id < b.id ? -1 : 1) * (sign === '-' ? -1 : 1),
      )
    }
    const perPage = whole('perPage', '30', 100)
    const totalPages = Math.ceil(found.length / perPage)
    const page = whole('page', '1', Math.max(1, totalPages))
    const [expand] = given.expand ?? []
    const rows = found.slice((page - 1) * perPage, page * perPage).map((item) => {
      const [where, other] =
        [...shelves].find(([, shelf]) => shelf.items.has(String(item[known(expand ?? 'id')]))) ?? []
      const related = other?.items.get(String(item[expand ?? '']))
      return {
        ...shown(name, item),
        ...(where && related && { expanded: { [String(expand)]: shown(where, related) } }),
      }
    })
    return { page, perPage, totalItems: found.length, totalPages, items: rows }
  }

  async function bodyOf(context: Context): Promise<Fields> {
    if (!/^application\/json(;|$)/.test(context.req.header('content-type') ?? ''))
      reject(415, 'Send application/json.')
    return (await bodyObject(context.req.raw)) ?? reject(422, 'The body is not a JSON object.')
  }

  const app = new Hono().basePath('/api/v1')
  const records = '/collections/:table/records'
  app.get(records, (context) => {
    const [[name, { access }], who] = [shelfOf(context.req.param('table')), caller(context)]
    permit(who, name, 'list')
    const own = access === 'owner' && who.session ? who.session.id : undefined
    return context.json(list(context, name, ({ owner }) => own === undefined || owner === own))
  })
  app.get(`${records}/:id`, (context) => {
    const [name, { access, items }] = shelfOf(context.req.param('table'))
    const item = items.get(context.req.param('id')) ?? reject(404, 'No such record.')
    permit(caller(context), name, 'view', access === 'self' ? item.id : item.owner)
    return context.json(shown(name, item))
  })
  app.on(['POST', 'PATCH', 'DELETE'], [records, `${records}/:id`], async (context) => {
    const { method } = context.req
    const [name] = shelfOf(context.req.param('table'))
    const body = method === 'DELETE' ? {} : await bodyOf(context)
    const item = write(caller(context), method, name, context.req.param('id'), body)
    return context.json(shown(name, item), method === 'POST' ? 201 : 200)
  })
  app.post('/batch', async (context) => {
    const [who, body] = [caller(context), await bodyOf(context)]
    if (!exact(body, 'requests') || !Array.isArray(body.requests))
      return reject(422, 'Only requests, a list.')
    const before = [...shelves.values()].map(({ items }) => structuredClone(items))
    const accountsBefore = structuredClone(accounts)
    try {
      const done = body.requests.map((each: unknown) => {
        const removing = exact(each, 'method', 'url')
        if (!removing && !exact(each, 'body', 'method', 'url'))
          reject(422, 'A sub-request has method, url and body.')
        const { method, url, body: fields } = each as Fields
        if (removing !== (method === 'DELETE') || !/^(POST|PATCH|DELETE)$/.test(String(method)))
          reject(422, 'No such method.')
        const [, segment = '', id] =
          /^\/api\/v1\/collections\/([^/]+)\/records(?:\/([^/]+))?$/.exec(String(url)) ?? []
        const [name] = shelfOf(decodeURIComponent(segment))
        const item = write(
          who,
          String(method),
          name,
          id && decodeURIComponent(id),
          isObject(fields) ? fields : {},
        )
        return { status: method === 'POST' ? 201 : 200, body: shown(name, item) }
      })
      return context.json(done)
    } catch (error) {
      for (const [index, shelf] of [...shelves.values()].entries()) shelf.items = before[index] ?? shelf.items
      for (const [id, account] of accountsBefore) accounts.set(id, account)
      throw error
    }
  })

  const session = (name: string, id: string, lasts = shelves.get(name)?.seconds ?? 0): Fields => ({
    token: sign('session', name, id, lasts),
    record: shown(name, shelves.get(name)?.items.get(id) ?? reject(404, 'No such record.')),
  })
  function enter(context: Context, name: string, id: string, by: string, { mfaId }: Fields) {
    if (!shelves.get(name)?.signIn.includes('mfa')) return context.json(session(name, id))
    const first = factors.get(String(mfaId))
    if (mfaId === undefined) {
      const next = secret(16).toString('hex')
      factors.set(next, { id, by })
      return context.json(
        { type: 'about:blank', title: 'A second factor is needed.', status: 401, mfaId: next },
        401,
      )
    }
    if (first?.id !== id || first.by === by) return reject(401, 'The factors do not fit.')
    factors.delete(String(mfaId))
    return context.json(session(name, id))
  }
  const byEmail = (name: string, email: unknown) =>
    [...(shelves.get(name)?.items.values() ?? [])].find((item) => text(email) && item.email === email)
  async function mail(flow: string, name: string, id: string, to: string): Promise<void> {
    const token = sign(flow, name, id, 900, to)
    await send(to, flow, `Follow https://strict.example.com/#/confirm-${flow}/${token}`)
  }
  function spend(flow: string, name: string, token: unknown): { item: Item; to: string } {
    const claims = read(token, flow, name) ?? reject(422, 'This token is not valid.')
    used.add(String(token).split('.')[2] ?? '')
    return { item: shelves.get(name)?.items.get(claims.id) ?? reject(422, 'Gone.'), to: claims.to ?? '' }
  }

  app.get('/collections/:table/auth-methods', (context) => {
    const [, { access, signIn }] = shelfOf(context.req.param('table'))
    if (access !== 'self') reject(404, 'This is not an auth table.')
    const identities = signIn.filter((each) => each === 'email' || each === 'username')
    return context.json({
      ...(identities.length > 0 && { password: { identities } }),
      ...(signIn.includes('otp') && { otp: { digits: 8 } }),
      ...(signIn.includes('oauth2') && { oauth2: ['oidc'] }),
      refresh: true,
    })
  })
  app.post('/collections/:table/:action/:id?', async (context) => {
    const { action, id = '' } = context.req.param()
    const [name, { access, signIn, items }] = shelfOf(context.req.param('table'))
    const keysOf = strictForm[action]?.split(' ').filter(Boolean)
    if (access !== 'self' || keysOf === undefined || (id !== '') !== (action === 'impersonate'))
      return reject(404, 'No such endpoint.')
    const optional = keysOf.every((key) => key.endsWith('?'))
    const body = optional && !context.req.header('content-type') ? {} : await bodyOf(context)
    for (const key of Object.keys(body))
      if (!keysOf.includes(key) && !keysOf.includes(`${key}?`)) reject(422, `${key} is unknown here.`)
    for (const key of keysOf) if (!key.endsWith('?') && !text(body[key])) reject(422, `${key} is required.`)
    const who = caller(context)
    const mine = who.session?.shelf === name ? who.session.id : undefined
    const off = (method: string) => !signIn.includes(method) && reject(403, `${method} is not enabled.`)
    const done = () => context.json({ done: true })
    switch (action) {
      case 'auth-with-password': {
        if (!signIn.includes('email') && !signIn.includes('username'))
          reject(403, 'Passwords are not enabled.')
        const item = [...items.values()].find((each) =>
          signIn.some((field) => body.identity !== '' && each[field] === body.identity),
        )
        if (!item || accounts.get(item.id)?.hash !== hashed(String(body.password)))
          return reject(401, 'That is wrong.')
        return enter(context, name, item.id, 'password', body)
      }
      case 'auth-with-oauth2': {
        off('oauth2')
        const { provider: idp, code, codeVerifier: verifier, redirectURL } = body as Record<string, string>
        const asked = { code: code ?? '', verifier: verifier ?? '', redirectURL: redirectURL ?? '' }
        const found = idp === 'oidc' ? await person(provider, asked) : undefined
        const { sub, email } = found ?? reject(401, 'The provider does not confirm this.')
        const linked = [...items.values()].find((item) => accounts.get(item.id)?.subject === sub)
        const password = secret(12).toString('hex')
        const item =
          linked ?? byEmail(name, email) ?? add(name, { email, password, passwordConfirm: password }, who)
        Object.assign(accounts.get(item.id) ?? {}, { subject: sub })
        return enter(context, name, item.id, 'oauth2', body)
      }
      case 'request-otp': {
        off('otp')
        const [item, otpId] = [byEmail(name, body.email), nextId()]
        const code = String(10_000_000 + (secret(4).readUInt32BE() % 90_000_000))
        if (item) {
          codes.set(otpId, { shelf: name, id: item.id, code, ends: seconds() + 120 })
          await send(String(item.email), 'One-time password', `${code} is your one-time password.`)
        }
        return context.json({ otpId })
      }
      case 'auth-with-otp': {
        off('otp')
        const otp = codes.get(String(body.otpId))
        codes.delete(String(body.otpId))
        if (otp?.shelf !== name || otp.code !== body.code || otp.ends < seconds())
          return reject(401, 'That is wrong.')
        return enter(context, name, otp.id, 'otp', body)
      }
      case 'auth-refresh':
        return context.json(session(name, mine ?? reject(401, 'Sign in first.')))
      case 'impersonate':
        if (!who.admin) reject(who.session || who.key ? 403 : 401, 'Superusers only.')
        return context.json(session(name, id))
      case 'request-verification':
      case 'request-password-reset': {
        const item = byEmail(name, body.email)
        if (item) await mail(action.replace('request-', ''), name, item.id, String(item.email))
        return done()
      }
      case 'request-email-change':
        if (!checks.email?.(body.newEmail) || byEmail(name, body.newEmail))
          reject(422, 'This address is not available.')
        await mail('email-change', name, mine ?? reject(401, 'Sign in first.'), String(body.newEmail))
        return done()
      case 'confirm-verification': {
        const { item, to } = spend('verification', name, body.token)
        if (item.email !== to) reject(422, 'This token is for another address.')
        item.verified = true
        return done()
      }
      case 'confirm-password-reset': {
        if (!checks.secret?.(body.password) || body.password !== body.passwordConfirm)
          reject(422, 'No such password.')
        const { item } = spend('password-reset', name, body.token)
        const { generation = 0 } = accounts.get(item.id) ?? {}
        accounts.set(item.id, { hash: hashed(String(body.password)), generation: generation + 1 })
        return done()
      }
      default: {
        const owner = read(body.token, 'email-change', name)?.id ?? ''
        const account = accounts.get(owner)
        if (account?.hash !== hashed(String(body.password))) return reject(422, 'That is wrong.')
        const { item, to } = spend('email-change', name, body.token)
        Object.assign(item, { email: to, verified: true })
        accounts.set(owner, { ...account, generation: account.generation + 1 })
        return done()
      }
    }
  })
  const problem = (context: Context, status: RejectedRequest['status'] | 500, detail: string) =>
    context.body(JSON.stringify({ type: 'about:blank', title: 'Rejected', status, detail }), status, {
      'content-type': 'application/problem+json',
    })
  app.notFound((context) => problem(context, 404, 'No such path.'))
  app.onError((error, context) =>
    problem(context, error instanceof RejectedRequest ? error.status : 500, error.message),
  )

  return {
    fetch: (request) => app.fetch(request),
    hooks: {
      clock: ({ advance }) => {
        ahead += Number(advance) * 1_000
        return { now: new Date(Date.now() + ahead).toISOString() }
      },
      createApiKey: ({ tables, actions }) => {
        const id = secret(8).toString('hex')
        const key = `sk_${id}_${secret(16).toString('hex')}`
        keys.set(key, { tables: tables as string[], actions: actions as string[] })
        return { id, key }
      },
      revokeApiKey: ({ id }) => {
        for (const key of keys.keys()) if (key.startsWith(`sk_${id}_`)) keys.delete(key)
      },
    },
  }
}

export const strict: LawfulServer = {
  name: 'strict',
  start,
  target: {
    binding: {
      'filter.equals': '{field}=={value}',
      'sort.ascending': '+{field}',
      'otp.code': 'code',
    },
    capabilities: { batch: true, otp: true, mfa: true, oauth2: true },
    tables: {
      plain: { name: 'cards' },
      related: { name: 'branches' },
      everything: { name: 'specimens' },
      cascading: { name: 'pieces' },
      loose: { name: 'ties' },
      unique: { name: 'serials' },
      owned: { name: 'letters' },
      locked: { name: 'archive', id: 'ARCHIVE' },
      members: { name: 'citizens' },
      staff: { name: 'officers' },
      named: { name: 'nicks' },
      mfa: { name: 'doubled' },
      oauth: { name: 'foreigners' },
      passwordless: { name: 'coded' },
      shortlived: { name: 'passers-by' },
    },
    credentials: { superuser: { token: admin } },
  },
}
