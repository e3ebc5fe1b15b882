/**
 * A server that normalizes everything it receives: strings are trimmed and composed (NFC), addresses and usernames are in
 * lower case, numbers have two decimals, dates whole seconds, page sizes are multiples of five, and a page beyond the end
 * is the last one. A password in a record is shown as eight stars. Tables that a caller may not read appear empty.
 *
 * @module
 */

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
import { type Book, type FieldEntry, normalZeros, root, shelf, type Ticket, tidied, tidy } from './tidied.ts'

function start(surroundings: Surroundings): RunningServer {
  const { provider, seed } = surroundings
  const send = mailer(surroundings)
  const secret = secrets(seed, 'normalizing')
  const letters = (length: number) => [...secret(length)].map((byte) => (byte % 36).toString(36)).join('')
  const books = shelf
    .trim()
    .split('\n')
    .map((line, index): Book => {
      const [name = '', policy = '', fields = '', ways = '', minutes = '60'] = line.trim().split(/\s+/)
      const types = Object.fromEntries(fields.split(',').map((each) => each.split(':') as [string, string]))
      const id = `${name}-${index}`
      return {
        id,
        name,
        types,
        entries: new Map(),
        policy: policy as Book['policy'],
        ways: ways.split(','),
        minutes: Number(minutes),
      }
    })
  const passwords = new Map<string, string>()
  const subjects = new Map<string, string>()
  const tickets = new Map<string, Ticket>()
  const keys = new Map<string, Set<string>>()
  let ahead = 0
  const now = () => Date.now() + ahead
  const no = (status: RejectedRequest['status'], reason: string): never => {
    throw new RejectedRequest(status, reason)
  }

  const bookOf = (segment: string) => {
    const wanted = tidy(segment).toLowerCase()
    return (
      books.find(({ id, name }) => wanted === name || wanted === id) ?? no(404, 'There is no such table.')
    )
  }
  const entryOf = (book: Book, id: string) =>
    book.entries.get(tidy(id).toLowerCase()) ?? no(404, 'There is no such record.')
  const byAddress = (book: Book, address: unknown) =>
    [...book.entries.values()].find(({ email }) => email !== '' && email === tidy(address).toLowerCase())
  const shown = (book: Book, { id, ...fields }: FieldEntry): FieldEntry => ({
    id,
    ...fields,
    collectionId: book.id,
    collectionName: book.name,
  })

  function issue(use: string, book: Book, id: string, minutes: number, extra?: string): string {
    const token = letters(32)
    tickets.set(token, {
      use,
      book,
      id,
      until: now() + minutes * 60_000,
      extra,
    })
    return token
  }
  function redeem(use: string, book: Book | undefined, token: unknown): Ticket | undefined {
    const ticket = tickets.get(tidy(token))
    if (ticket?.use !== use || ticket.until < now() || !ticket.book.entries.has(ticket.id)) return undefined
    return book === undefined || ticket.book === book ? ticket : undefined
  }

  /** A token that is not valid counts as none; the word Bearer in front of one is taken away. */
  function whoAsks(context: Context) {
    const token = tidy(context.req.header('authorization') ?? '').replace(/^Bearer\s+/i, '')
    return { root: token === root, scope: keys.get(token), session: redeem('session', undefined, token) }
  }
  type Asker = ReturnType<typeof whoAsks>

  function may({ root, scope, session }: Asker, book: Book, action: string, entry?: Fields): boolean {
    if (root || scope !== undefined) return root || scope?.has(`${book.name} ${action}`) === true
    const reads = action === 'list' || action === 'view'
    if (book.policy === 'accounts')
      return reads || action === 'create' || (session?.book === book && session.id === entry?.id)
    return (
      book.policy === 'public' ||
      (book.policy === 'private' && session?.book.name === 'readers' && session.id === entry?.owner)
    )
  }

  function fill(book: Book, entry: FieldEntry, body: Fields, trusted: boolean): void {
    for (const [field, type] of Object.entries(book.types)) {
      const [kind = '', target] = type.replace('!', '').split('>')
      const value = body[field]
      if (kind === 'stamp') entry[field] = timestamp(now())
      else if (kind === 'flag')
        entry[field] = trusted && typeof value === 'boolean' ? value : (entry[field] ?? false)
      else if (value === undefined) entry[field] ??= normalZeros[kind] === undefined ? '' : normalZeros[kind]
      else if (value === null) entry[field] = normalZeros[kind] === undefined ? '' : normalZeros[kind]
      else {
        const clean = tidied[kind]?.(value)
        if (clean === undefined) no(400, `${field} cannot be read.`)
        if (target !== undefined && clean !== '' && !bookOf(target).entries.has(String(clean)))
          no(400, `${field} refers to no record.`)
        const single =
          kind === 'unique' || (book.policy === 'accounts' && (kind === 'email' || kind === 'handle'))
        if (
          single &&
          clean !== '' &&
          [...book.entries.values()].some((each) => each.id !== entry.id && each[field] === clean)
        )
          no(400, `${field} is taken.`)
        entry[field] = clean
      }
    }
    entry.updated = timestamp(now())
  }

  const word = (value: unknown) =>
    typeof value === 'string' && value.length >= 6 ? hashed(value.normalize('NFC')) : undefined

  function create(book: Book, body: Fields, trusted: boolean): FieldEntry {
    const hash = word(body.password)
    if (book.policy === 'accounts' && hash === undefined) no(400, 'A password has at least 6 characters.')
    const entry: FieldEntry = { id: letters(12), created: timestamp(now()) }
    fill(book, entry, body, trusted)
    if (book.policy === 'accounts' && hash !== undefined) passwords.set(entry.id, hash)
    book.entries.set(entry.id, entry)
    return entry
  }

  function discard(book: Book, { id }: FieldEntry): void {
    book.entries.delete(id)
    for (const other of books)
      for (const [field, type] of Object.entries(other.types)) {
        const [kind, target = ''] = type.split('>')
        if (kind !== 'link' || target.replace('!', '') !== book.name) continue
        for (const entry of [...other.entries.values()].filter((each) => each[field] === id)) {
          if (type.endsWith('!')) discard(other, entry)
          else entry[field] = ''
        }
      }
  }

  function write(
    asker: Asker,
    method: string,
    book: Book,
    id: string | undefined,
    body: Fields,
  ): [number, FieldEntry] {
    if (method === 'POST' && id === undefined) {
      if (!may(asker, book, 'create', { owner: body.owner })) no(403, 'You may not.')
      return [201, create(book, body, asker.root)]
    }
    const entry = entryOf(book, id ?? '')
    const action = { PATCH: 'update', DELETE: 'delete' }[method] ?? no(400, 'There is no such method.')
    if (!may(asker, book, action, entry)) no(may(asker, book, 'view', entry) ? 403 : 404, 'You may not.')
    if (action === 'delete') discard(book, entry)
    else {
      const changed = { ...entry }
      fill(book, changed, body, asker.root)
      book.entries.set(entry.id, changed)
      const hash = book.policy === 'accounts' ? word(body.password) : undefined
      if (hash !== undefined) passwords.set(entry.id, hash)
    }
    return [action === 'delete' ? 204 : 200, book.entries.get(entry.id) ?? entry]
  }

  const app = new Hono().basePath('/api/v1')
  const records = '/collections/:table/records'
  const bodyOf = async ({ req }: Context): Promise<Fields> => {
    if (!req.header('content-type')?.startsWith('multipart/'))
      return (await bodyObject(req.raw)) ?? no(400, 'That is not JSON.')
    const form = Object.entries(await req.parseBody({ all: true }))
    const name = (value: unknown) => (value instanceof File ? value.name : value)
    return Object.fromEntries(
      form.map(([field, value]) => [field, Array.isArray(value) ? value.map(name) : name(value)]),
    )
  }
  app.get(records, (context) => {
    const [book, asker, query] = [bookOf(context.req.param('table')), whoAsks(context), context.req.query()]
    let found = [...book.entries.values()].filter((entry) => may(asker, book, 'list', entry))
    const [, field, value] = /^\s*(\w+):(.*)$/s.exec(query.q ?? '') ?? []
    if (field !== undefined) found = found.filter((entry) => tidy(entry[field]) === tidy(value))
    const [by = '', direction] = tidy(query.sort ?? '').split(' ')
    if (by in book.types) {
      const order = (a: unknown, b: unknown) =>
        typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en')
      found.sort((a, b) => (direction === 'desc' ? order(b[by], a[by]) : order(a[by], b[by])))
    }
    const perPage = Math.min(Math.ceil(Math.max(1, Number(query.size) || 30) / 5) * 5, 100)
    const totalPages = Math.ceil(found.length / perPage)
    const page = Math.min(Math.max(1, Math.round(Number(query.page)) || 1), Math.max(1, totalPages))
    const items = found.slice((page - 1) * perPage, page * perPage)
    const target = book.types[tidy(query.include ?? '')]?.split('>')[1]?.replace('!', '')
    const others = target === undefined ? undefined : bookOf(target)
    const ids = new Set(items.map((entry) => String(entry[tidy(query.include)])))
    const included =
      others &&
      [...others.entries.values()].filter(({ id }) => ids.has(id)).map((each) => shown(others, each))
    const list = {
      page,
      perPage,
      totalItems: found.length,
      totalPages,
      items: items.map((entry) => shown(book, entry)),
    }
    return context.json(included === undefined ? list : { ...list, included })
  })
  app.get(`${records}/:id`, (context) => {
    const book = bookOf(context.req.param('table'))
    const entry = entryOf(book, context.req.param('id'))
    return may(whoAsks(context), book, 'view', entry)
      ? context.json(shown(book, entry))
      : no(404, 'There is no such record.')
  })
  app.on(['POST', 'PATCH', 'DELETE'], [records, `${records}/:id`], async (context) => {
    const { method } = context.req
    const book = bookOf(context.req.param('table'))
    const [status, entry] = write(
      whoAsks(context),
      method,
      book,
      context.req.param('id'),
      method === 'DELETE' ? {} : await bodyOf(context),
    )
    return status === 204 ? context.body(null, 204) : context.json({ data: shown(book, entry) })
  })
  app.post('/batch', async (context) => {
    const [asker, { requests }] = [whoAsks(context), await bodyOf(context)]
    const before = books.map(({ entries }) => structuredClone(entries))
    const words = [...passwords]
    try {
      const results = (Array.isArray(requests) ? requests : no(400, 'There are no requests.')).map(
        (each: unknown) => {
          const { method, url, body } = isObject(each) ? each : no(400, 'That is not a request.')
          const [, , , collections, table = '', kind, id] = tidy(url).split('/').map(decodeURIComponent)
          if (collections !== 'collections' || kind !== 'records')
            no(400, 'That is not the path of a record.')
          const [status, entry] = write(
            asker,
            tidy(method).toUpperCase(),
            bookOf(table),
            id,
            isObject(body) ? body : {},
          )
          return { status, id: entry.id }
        },
      )
      return context.json({ results })
    } catch (error) {
      for (const [index, book] of books.entries()) book.entries = before[index] ?? book.entries
      passwords.clear()
      for (const [entry, hash] of words) passwords.set(entry, hash)
      throw error
    }
  })

  function enter(book: Book, id: string, way: string, mfaId?: unknown): [200 | 401, Fields] {
    if (book.ways.includes('mfa')) {
      const first = mfaId === undefined ? undefined : redeem('factor', book, mfaId)
      if (mfaId === undefined) return [401, { mfaId: issue('factor', book, id, 10, way) }]
      if (first?.id !== id || first.extra === way) return no(400, 'The factors do not fit.')
      tickets.delete(tidy(mfaId))
    }
    return [200, { token: issue('session', book, id, book.minutes), record: shown(book, entryOf(book, id)) }]
  }
  const signOut = (id: string) => {
    for (const [token, ticket] of tickets) if (ticket.id === id) tickets.delete(token)
  }
  /** Groups of four are easier to read; the hyphens are taken away again. */
  async function mail(use: string, book: Book, id: string, to: string): Promise<void> {
    const token = issue(use, book, id, 30, to)
    await send(
      to,
      use,
      `Please go to https://tidy.example.com/confirm-${use}/${token.replaceAll(/(.{4})(?=.)/g, '$1-')}`,
    )
  }
  const opened = (use: string, book: Book, token: unknown) =>
    redeem(use, book, tidy(token).replaceAll('-', '')) ?? no(400, 'The token has ended.')

  type Endpoint = (
    book: Book,
    body: Fields,
    context: Context,
  ) => Promise<[number, Fields?]> | [number, Fields?]
  const mine = (book: Book, context: Context): string => {
    const { session } = whoAsks(context)
    return session?.book === book ? session.id : no(401, 'Please sign in.')
  }
  const needs = (book: Book, ...ways: string[]) =>
    ways.some((way) => book.ways.includes(way)) || no(403, 'That is switched off.')
  const writeTo =
    (use: string): Endpoint =>
    async (book, { email }) => {
      const entry = byAddress(book, email)
      if (entry !== undefined) await mail(use, book, entry.id, String(entry.email))
      return [204]
    }
  const endpoints: Record<string, Endpoint> = {
    'auth-with-password': (book, { identity, password, mfaId }) => {
      needs(book, 'email', 'username')
      const entry = [...book.entries.values()].find((each) =>
        book.ways.some((field) => each[field] !== '' && each[field] === tidy(identity ?? '').toLowerCase()),
      )
      if (entry === undefined || passwords.get(entry.id) !== word(password))
        return no(400, 'That does not fit.')
      return enter(book, entry.id, 'password', mfaId)
    },
    'request-otp': async (book, { email }) => {
      needs(book, 'otp')
      const [entry, code] = [
        byAddress(book, email),
        String(secret(4).readUInt32BE() % 1_000_000).padStart(6, '0'),
      ]
      if (entry === undefined) return [200, { otpId: letters(32) }]
      await send(String(entry.email), 'Code', `Your code: ${code.slice(0, 3)}-${code.slice(3)}`)
      return [200, { otpId: issue('otp', book, entry.id, 5, code) }]
    },
    'auth-with-otp': (book, { otpId, password, mfaId }) => {
      needs(book, 'otp')
      const otp = redeem('otp', book, otpId)
      if (otp === undefined || otp.extra !== tidy(password).replaceAll(/\D/g, ''))
        return no(400, 'That does not fit.')
      tickets.delete(tidy(otpId))
      // A user who has the code has access to the address.
      Object.assign(entryOf(book, otp.id), { verified: true })
      return enter(book, otp.id, 'otp', mfaId)
    },
    'auth-with-oauth2': async (book, body) => {
      needs(book, 'oauth2')
      const [code, verifier, redirectURL] = [body.code, body.codeVerifier, body.redirectURL].map((each) =>
        tidy(each ?? ''),
      )
      const asked = { code: code ?? '', verifier: verifier ?? '', redirectURL: redirectURL ?? '' }
      const who = tidy(body.provider).toLowerCase() === 'oidc' ? await person(provider, asked) : undefined
      const { sub, email } = who ?? no(400, 'The provider does not agree.')
      const linked = book.entries.get(subjects.get(sub) ?? '') ?? byAddress(book, email)
      const { id } = linked ?? create(book, { email, password: letters(20), verified: true }, true)
      subjects.set(sub, id)
      return enter(book, id, 'oauth2', body.mfaId)
    },
    'auth-refresh': (book, _body, context) => {
      const id = mine(book, context)
      return [
        200,
        { token: issue('session', book, id, book.minutes), record: shown(book, entryOf(book, id)) },
      ]
    },
    'request-verification': writeTo('verification'),
    'request-password-reset': writeTo('password-reset'),
    'request-email-change': async (book, { newEmail }, context) => {
      const to = tidy(newEmail).toLowerCase()
      if (!to.includes('@') || byAddress(book, to)) no(400, 'That address is not available.')
      await mail('email-change', book, mine(book, context), to)
      return [204]
    },
    'confirm-verification': (book, { token }) => {
      const { id, extra } = opened('verification', book, token)
      const entry = entryOf(book, id)
      if (entry.email !== extra) no(400, 'The address has changed.')
      Object.assign(entry, { verified: true })
      return [204]
    },
    'confirm-password-reset': (book, { token, password }) => {
      const hash = word(password) ?? no(400, 'A password has at least 6 characters.')
      const { id } = opened('password-reset', book, token)
      signOut(id)
      passwords.set(id, hash)
      Object.assign(entryOf(book, id), { verified: true })
      return [204]
    },
    'confirm-email-change': (book, { token, password }) => {
      const { id, extra } = opened('email-change', book, token)
      if (passwords.get(id) !== word(password)) no(400, 'That does not fit.')
      signOut(id)
      Object.assign(entryOf(book, id), { email: extra, verified: true })
      return [204]
    },
  }
  const response = (context: Context, [status, body]: [number, Fields?]) =>
    body === undefined ? context.body(null, 204) : context.json(body, status === 401 ? 401 : 200)
  const accountsOf = (context: Context): Book => {
    const book = bookOf(context.req.param('table') ?? '')
    return book.policy === 'accounts' ? book : no(404, 'No one signs in there.')
  }
  app.get('/collections/:table/auth-methods', (context) => {
    const { ways } = accountsOf(context)
    const providers = [{ name: 'oidc', ...visit(provider, letters(50)) }]
    return context.json({
      password: ways.includes('email') || ways.includes('username'),
      otp: ways.includes('otp'),
      mfa: ways.includes('mfa'),
      oauth2: ways.includes('oauth2') ? { enabled: true, providers } : false,
      refresh: true,
    })
  })
  app.post('/collections/:table/impersonate/:id', (context) => {
    const book = accountsOf(context)
    if (!whoAsks(context).root) no(403, 'You may not.')
    const entry = book.entries.get(context.req.param('id')) ?? no(410, 'That account is gone, or never was.')
    return context.json({ token: issue('session', book, entry.id, 15), record: shown(book, entry) })
  })
  app.post('/collections/:table/:action', async (context) => {
    const [book, endpoint] = [accountsOf(context), endpoints[tidy(context.req.param('action'))]]
    if (endpoint === undefined) return no(404, 'There is no such endpoint.')
    const body = context.req.header('content-type') === undefined ? {} : await bodyOf(context)
    return response(context, await endpoint(book, body, context))
  })
  app.notFound((context) => context.json({ errors: [{ message: 'There is nothing there.' }] }, 404))
  app.onError((error, context) =>
    context.json(
      { errors: [{ message: error.message }] },
      error instanceof RejectedRequest ? error.status : 500,
    ),
  )

  return {
    fetch: (request) => app.fetch(request),
    hooks: {
      clock: ({ advance }) => {
        ahead += Number(advance) * 1_000
        return { now: timestamp(now()) }
      },
      createApiKey: ({ tables, actions }) => {
        const key = letters(40)
        keys.set(
          key,
          new Set(
            (tables as string[]).flatMap((table) => (actions as string[]).map((each) => `${table} ${each}`)),
          ),
        )
        return { id: key.slice(0, 8), key }
      },
      revokeApiKey: ({ id }) => {
        for (const key of keys.keys()) if (key.startsWith(String(id))) keys.delete(key)
      },
    },
  }
}

export const normalizing: LawfulServer = {
  name: 'normalizing',
  start,
  target: {
    notApplicable: {
      'batch.parent-with-children': 'a batch cannot name the id of a record that it creates',
    },
    binding: {
      'list.perPage': 'size',
      'list.filter': 'q',
      'list.expand': 'include',
      'filter.equals': '{field}:{value}',
      'sort.ascending': '{field} asc',
      'sort.descending': '{field} desc',
    },
    capabilities: { batch: true, otp: true, mfa: true, oauth2: true },
    tables: {
      plain: { name: 'pages' },
      related: { name: 'places' },
      everything: { name: 'exhibits' },
      cascading: { name: 'notes' },
      loose: { name: 'pointers' },
      unique: { name: 'numbers' },
      owned: { name: 'secrets' },
      locked: { name: 'basement' },
      members: { name: 'readers' },
      staff: { name: 'clerks' },
      named: { name: 'pen_names' },
      mfa: { name: 'wary' },
      oauth: { name: 'abroad' },
      passwordless: { name: 'forgetful' },
      shortlived: { name: 'brief' },
    },
    credentials: { superuser: { token: root } },
  },
}
