/**
 * A server on an SQL database. Ids are integers of each table, returned as strings; a column without a value is NULL;
 * foreign keys are enforced; a batch is a transaction; and a missing right is always 401, no matter which right it is.
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
import {
  type Key,
  type SqlCaller,
  type SqlRow,
  type SqlSession,
  type SqlTable,
  schema,
  sqlSuperuserToken,
} from './sql-schema.ts'

function start(surroundings: Surroundings): RunningServer {
  const { provider, seed } = surroundings
  const send = mailer(surroundings)
  const secret = secrets(seed, 'sql')
  const hex = () => secret(24).toString('hex')
  const tables = schema.map(
    ([name, columns, grant, identities, methods, lifetime = 3_600_000], index): SqlTable => ({
      id: String(index + 1),
      name,
      columns: Object.fromEntries(
        columns.split(', ').map((column) => {
          const [left = '', ...type] = column.split(' ')
          return [left, type.join(' ')]
        }),
      ),
      grant,
      identities: identities.split(' ').filter(Boolean),
      methods: methods.split(' ').filter(Boolean),
      lifetime,
      rows: new Map(),
      sequence: 0,
    }),
  )
  const passwords = new Map<string, string>()
  const callers = new Map<string, SqlSession | Key>()
  const codes = new Map<string, { table: SqlTable; id: number; code: string; until: number }>()
  const firstFactors = new Map<string, { table: SqlTable; id: number; method: string }>()
  const proofs = new Map<string, { flow: string; table: SqlTable; id: number; to: string; until: number }>()
  const linked = new Map<string, number>()
  let ahead = 0
  let serial = 0
  const now = () => Date.now() + ahead

  function tableOf(name: string): SqlTable {
    const table = tables.find((each) => each.name === name || each.id === name)
    if (table === undefined) throw new RejectedRequest(404, `relation "${name}" does not exist`)
    return table
  }

  function shown(table: SqlTable, row: SqlRow): Fields {
    const open = Object.entries(row).filter(([column]) => table.columns[column] !== 'secret')
    return {
      ...Object.fromEntries(open),
      id: String(row.id),
      collectionId: table.id,
      collectionName: table.name,
    }
  }

  function callerOf(context: Context): SqlCaller {
    const token = context.req.header('authorization')
    if (token === undefined) return { kind: 'guest' }
    if (token === sqlSuperuserToken) return { kind: 'superuser' }
    const known = callers.get(token)
    const alive = known?.kind === 'key' || (known && known.until > now() && known.table.rows.has(known.id))
    if (known === undefined || !alive) throw new RejectedRequest(401, 'the token is not valid')
    return known
  }

  /** @param row that is read or changed; undefined for a list and a create */
  function grant(caller: SqlCaller, table: SqlTable, action: string, row?: SqlRow, body: Fields = {}): void {
    const mine = caller.kind === 'session' ? caller : undefined
    const owner = row === undefined ? body.owner : row.owner
    const granted =
      caller.kind === 'superuser' ||
      (caller.kind === 'key' && caller.tables.includes(table.name) && caller.actions.includes(action)) ||
      (table.grant === 'all' && caller.kind !== 'key') ||
      (table.grant === 'account' && caller.kind !== 'key' && /list|view|create/.test(action)) ||
      (table.grant === 'account' && mine?.table === table && mine.id === row?.id) ||
      (table.grant === 'owner' &&
        mine?.table.name === 'users' &&
        (action === 'list' || owner === String(mine.id)))
    if (!granted) throw new RejectedRequest(401, `permission denied for relation ${table.name}`)
  }

  function rowOf(table: SqlTable, id: string): SqlRow {
    const row = /^[1-9]\d{0,14}$/.test(id) ? table.rows.get(Number(id)) : undefined
    if (row === undefined) throw new RejectedRequest(404, 'no rows in result set')
    return row
  }

  function values(table: SqlTable, body: Fields, id?: number): Fields {
    const set: Fields = {}
    for (const [column, value] of Object.entries(body)) {
      const [type = '', unique] = (table.columns[column] ?? '').split(' ')
      if (type === '' || type === 'auto' || (column === 'verified' && table.grant === 'account')) continue
      const fits: Record<string, boolean> = {
        number: typeof value === 'number',
        boolean: typeof value === 'boolean',
        array: Array.isArray(value),
        json: true,
      }
      const empty = value === null || (value === '' && type.includes('/'))
      if (!empty && !(fits[type] ?? typeof value === 'string'))
        throw new RejectedRequest(400, `invalid input for column "${column}"`)
      if (!empty && type.includes('/')) {
        const target = tableOf(type.split('/')[0] ?? '')
        if (!target.rows.has(Number(value)))
          throw new RejectedRequest(409, `"${column}" violates a foreign key constraint`)
      }
      const taken = [...table.rows.values()].some((row) => row.id !== id && row[column] === value)
      if (unique !== undefined && !empty && value !== '' && taken)
        throw new RejectedRequest(409, `"${column}" violates a unique constraint`)
      set[column] = empty ? null : value
    }
    return set
  }

  function insert(table: SqlTable, body: Fields, password = body.password): SqlRow {
    const at = timestamp(now())
    const nulls = Object.fromEntries(Object.keys(table.columns).map((column) => [column, null]))
    const set = values(table, body)
    if (table.grant === 'account') {
      if (typeof password !== 'string' || password.length < 8)
        throw new RejectedRequest(400, 'a password of 8 characters is needed')
      set.verified = false
    }
    const row: SqlRow = { ...nulls, ...set, id: ++table.sequence, created: at, updated: at }
    if ('stamp' in table.columns) row.stamp = at
    if (table.grant === 'account') passwords.set(`${table.id}/${row.id}`, hashed(String(password)))
    table.rows.set(row.id, row)
    return row
  }

  function update(table: SqlTable, row: SqlRow, body: Fields): void {
    Object.assign(row, values(table, body, row.id), { updated: timestamp(now()) })
    if ('stamp' in table.columns) row.stamp = row.updated
    if (table.grant === 'account' && typeof body.password === 'string')
      passwords.set(`${table.id}/${row.id}`, hashed(body.password))
  }

  function remove(table: SqlTable, row: SqlRow): void {
    for (const other of tables) {
      for (const [column, type] of Object.entries(other.columns)) {
        const [target, rule] = type.split('/')
        if (target !== table.name) continue
        for (const each of [...other.rows.values()].filter((each) => each[column] === String(row.id))) {
          if (rule === 'restrict' && each !== row)
            throw new RejectedRequest(409, `still referenced from ${other.name}`)
          if (rule === 'cascade') remove(other, each)
          if (rule === 'null') each[column] = null
        }
      }
    }
    table.rows.delete(row.id)
  }

  function select(table: SqlTable, context: Context, visible: (row: SqlRow) => boolean): Fields {
    const query = (name: string) => context.req.query(name)
    const whole = (name: string, otherwise: number) => {
      const value = Number(query(name) ?? otherwise)
      if (!Number.isInteger(value) || value < 1)
        throw new RejectedRequest(400, `${name} must be a positive integer`)
      return value
    }
    const columnOf = (name = '') => {
      if (name in table.columns || ['id', 'created', 'updated'].includes(name)) return name
      throw new RejectedRequest(400, `column "${name}" does not exist`)
    }
    const [page, perPage] = [whole('page_number', 1), Math.min(whole('page_size', 25), 200)]
    let rows = [...table.rows.values()].filter(visible)
    const where = query('where')
    if (where !== undefined) {
      const [, column, value] = /^(\w+) = '(.*)'$/s.exec(where) ?? []
      rows = rows.filter((row) => String(row[columnOf(column)]) === value?.replaceAll("''", "'"))
    }
    const [by, direction] = (query('order_by') ?? 'id ASC').split(' ')
    const column = columnOf(by)
    const sign = direction === 'DESC' ? -1 : 1
    const less = (a: unknown, b: unknown) =>
      a === null ? b !== null : b !== null && (a as number) < (b as number)
    rows.sort((a, b) =>
      less(a[column], b[column]) ? -sign : less(b[column], a[column]) ? sign : a.id - b.id,
    )
    const join = (query('join') ?? '').split(',').filter((name) => table.columns[name]?.includes('/'))
    const items = rows.slice((page - 1) * perPage, page * perPage).map((row) => {
      const item = shown(table, row)
      if (join.length === 0) return item
      const joined = join.map((name) => {
        const target = tableOf(table.columns[name]?.split('/')[0] ?? '')
        const found = target.rows.get(Number(row[name]))
        return [name, found === undefined ? null : shown(target, found)]
      })
      return { ...item, joined: Object.fromEntries(joined) }
    })
    return { page, perPage, totalItems: rows.length, totalPages: Math.ceil(rows.length / perPage), items }
  }

  /** One statement; what it affects. */
  function execute(
    caller: SqlCaller,
    method: string,
    table: SqlTable,
    id: string | undefined,
    body: Fields,
  ): SqlRow {
    if (method === 'POST' && id === undefined) {
      grant(caller, table, 'create', undefined, body)
      return insert(table, body)
    }
    if (id === undefined || (method !== 'PATCH' && method !== 'DELETE'))
      throw new RejectedRequest(400, `${method} is not a statement`)
    const row = rowOf(table, id)
    grant(caller, table, method === 'PATCH' ? 'update' : 'delete', row)
    if (method === 'PATCH') update(table, row, body)
    else remove(table, row)
    return row
  }

  function transaction<T>(work: () => T): T {
    const before = tables.map(({ rows }) => structuredClone(rows))
    const passwordsBefore = [...passwords]
    try {
      return work()
    } catch (error) {
      passwords.clear()
      for (const [key, hash] of passwordsBefore) passwords.set(key, hash)
      for (const [index, table] of tables.entries()) table.rows = before[index] ?? table.rows
      throw error
    }
  }

  function open(table: SqlTable, id: number): Fields {
    const token = hex()
    callers.set(token, { kind: 'session', table, id, until: now() + table.lifetime })
    return { token, record: shown(table, rowOf(table, String(id))) }
  }

  function signedIn(context: Context, table: SqlTable, id: number, method: string, body: Fields) {
    if (!table.methods.includes('mfa')) return context.json(open(table, id))
    const first = firstFactors.get(String(body.mfaId))
    if (body.mfaId === undefined) {
      const mfaId = hex()
      firstFactors.set(mfaId, { table, id, method })
      return context.json({ mfaId }, 401)
    }
    if (first?.table !== table || first.id !== id || first.method === method)
      throw new RejectedRequest(401, 'the factors do not belong together')
    firstFactors.delete(String(body.mfaId))
    return context.json(open(table, id))
  }

  async function bodyOf(context: Context): Promise<Fields> {
    if (context.req.header('content-type')?.startsWith('multipart/')) {
      const form = await context.req.parseBody({ all: true })
      return Object.fromEntries(
        Object.entries(form).map(([name, value]) => [name, value instanceof File ? value.name : value]),
      )
    }
    const body = await bodyObject(context.req.raw)
    if (body === undefined) throw new RejectedRequest(400, 'the body is not a JSON object')
    return body
  }

  function accountOf(table: SqlTable, email: unknown): SqlRow | undefined {
    return [...table.rows.values()].find((row) => row.email === email && typeof email === 'string')
  }

  async function prove(flow: string, table: SqlTable, row: SqlRow, to: string): Promise<void> {
    const token = hex()
    proofs.set(token, { flow, table, id: row.id, to, until: now() + 600_000 })
    await send(to, flow, `Open https://app.example.com/confirm-${flow}/${token} to go on.`)
  }

  function proven(flow: string, table: SqlTable, token: unknown): { row: SqlRow; to: string } {
    const proof = proofs.get(String(token))
    if (proof?.flow !== flow || proof.table !== table || proof.until < now())
      throw new RejectedRequest(401, 'the token is not valid')
    proofs.delete(String(token))
    return { row: rowOf(table, String(proof.id)), to: proof.to }
  }

  const app = new Hono().basePath('/api/v1')
  const records = '/collections/:table/records'
  app.get(records, (context) => {
    const [table, caller] = [tableOf(context.req.param('table')), callerOf(context)]
    grant(caller, table, 'list')
    const own = table.grant === 'owner' && caller.kind === 'session' ? String(caller.id) : undefined
    return context.json(select(table, context, (row) => own === undefined || row.owner === own))
  })
  app.get(`${records}/:id`, (context) => {
    const table = tableOf(context.req.param('table'))
    const row = rowOf(table, context.req.param('id'))
    grant(callerOf(context), table, 'view', row)
    return context.json(shown(table, row))
  })
  app.on(['POST', 'PATCH', 'DELETE'], [records, `${records}/:id`], async (context) => {
    const { method } = context.req
    const table = tableOf(context.req.param('table'))
    const body = method === 'DELETE' ? {} : await bodyOf(context)
    const row = execute(callerOf(context), method, table, context.req.param('id'), body)
    return method === 'POST' ? context.json(shown(table, row), 201) : context.json({ rowsAffected: 1 })
  })
  app.post('/batch', async (context) => {
    const caller = callerOf(context)
    const { requests } = await bodyOf(context)
    if (!Array.isArray(requests)) throw new RejectedRequest(400, 'requests is not a list')
    const affected = transaction(() =>
      requests.map((each: unknown) => {
        const { method, url, body } = isObject(each) ? each : {}
        const [, name, id] =
          /^\/api\/v1\/collections\/([^/]+)\/records(?:\/([^/]+))?$/.exec(String(url)) ?? []
        if (name === undefined) throw new RejectedRequest(400, `${url} leads to no relation`)
        const table = tableOf(decodeURIComponent(name))
        const row = execute(
          caller,
          String(method),
          table,
          id && decodeURIComponent(id),
          isObject(body) ? body : {},
        )
        return { table: table.name, id: String(row.id) }
      }),
    )
    return context.json({ affected })
  })

  const auth = '/collections/:table'
  const tableFor = (context: Context, method?: string): SqlTable => {
    const table = tableOf(context.req.param('table') ?? '')
    if (table.grant !== 'account') throw new RejectedRequest(404, `${table.name} is not an auth table`)
    if (method !== undefined && !table.methods.includes(method))
      throw new RejectedRequest(401, `${method} is not enabled`)
    return table
  }
  app.get(`${auth}/auth-methods`, (context) => {
    const table = tableFor(context)
    const has = (method: string) => ({ enabled: table.methods.includes(method) })
    const oauth2 = has('oauth2').enabled
      ? { enabled: true, providers: [{ name: 'oidc', ...visit(provider, hex()) }] }
      : { enabled: false }
    return context.json({ password: has('password'), otp: has('otp'), mfa: has('mfa'), oauth2 })
  })
  app.post(`${auth}/auth-with-password`, async (context) => {
    const table = tableFor(context, 'password')
    const body = await bodyOf(context)
    const { identity, password } = body
    const row = [...table.rows.values()].find(
      (each) =>
        typeof identity === 'string' &&
        identity !== '' &&
        table.identities.some((column) => each[column] === identity),
    )
    if (row === undefined || passwords.get(`${table.id}/${row.id}`) !== hashed(String(password)))
      throw new RejectedRequest(401, 'identity and password do not match')
    return signedIn(context, table, row.id, 'password', body)
  })
  app.post(`${auth}/request-otp`, async (context) => {
    const table = tableFor(context, 'otp')
    const row = accountOf(table, (await bodyOf(context)).address)
    const ticket = String(++serial)
    if (row !== undefined) {
      const code = String(secret(4).readUInt32BE() % 1_000_000).padStart(6, '0')
      codes.set(ticket, { table, id: row.id, code, until: now() + 180_000 })
      await send(String(row.email), 'Your code', `Your code is ${code}.`)
    }
    return context.json({ ticket })
  })
  app.post(`${auth}/auth-with-otp`, async (context) => {
    const table = tableFor(context, 'otp')
    const body = await bodyOf(context)
    const otp = codes.get(String(body.ticket))
    if (otp?.table !== table || otp.code !== body.code || otp.until < now())
      throw new RejectedRequest(401, 'the code does not match')
    codes.delete(String(body.ticket))
    return signedIn(context, table, otp.id, 'otp', body)
  })
  app.post(`${auth}/auth-with-oauth2`, async (context) => {
    const table = tableFor(context, 'oauth2')
    const body = await bodyOf(context)
    const [code, verifier, redirectURL] = [body.code, body.code_verifier, body.redirect_uri].map(String)
    const who =
      body.idp === 'oidc' && code && verifier && redirectURL
        ? await person(provider, { code, verifier, redirectURL })
        : undefined
    if (who === undefined) throw new RejectedRequest(401, 'the provider knows nothing of this')
    const known = linked.get(who.sub) ?? accountOf(table, who.email)?.id
    const id = table.rows.has(known ?? 0)
      ? Number(known)
      : insert(table, { email: who.email }, secret(16).toString('hex')).id
    linked.set(who.sub, id)
    return signedIn(context, table, id, 'oauth2', body)
  })
  app.post(`${auth}/auth-refresh`, (context) => {
    const [table, caller] = [tableFor(context), callerOf(context)]
    if (caller.kind !== 'session' || caller.table !== table) throw new RejectedRequest(401, 'no session')
    return context.json(open(table, caller.id))
  })
  app.post(`${auth}/impersonate/:id`, (context) => {
    const table = tableFor(context)
    if (callerOf(context).kind !== 'superuser') throw new RejectedRequest(401, 'superusers only')
    return context.json(open(table, rowOf(table, context.req.param('id')).id))
  })
  for (const flow of ['verification', 'password-reset']) {
    app.post(`${auth}/request-${flow}`, async (context) => {
      const table = tableFor(context)
      const row = accountOf(table, (await bodyOf(context)).address)
      if (row !== undefined) await prove(flow, table, row, String(row.email))
      return context.json({ sent: true })
    })
  }
  app.post(`${auth}/request-email-change`, async (context) => {
    const [table, caller] = [tableFor(context), callerOf(context)]
    if (caller.kind !== 'session' || caller.table !== table) throw new RejectedRequest(401, 'no session')
    const { new_address: to } = await bodyOf(context)
    if (typeof to !== 'string' || accountOf(table, to))
      throw new RejectedRequest(409, 'the address is not available')
    await prove('email-change', table, rowOf(table, String(caller.id)), to)
    return context.json({ sent: true })
  })
  app.post(`${auth}/confirm-verification`, async (context) => {
    const { row, to } = proven('verification', tableFor(context), (await bodyOf(context)).token)
    row.verified ||= row.email === to
    return context.json({ rowsAffected: 1 })
  })
  app.post(`${auth}/confirm-password-reset`, async (context) => {
    const [table, { token, password }] = [tableFor(context), await bodyOf(context)]
    if (typeof password !== 'string') throw new RejectedRequest(400, 'a password is needed')
    const { row } = proven('password-reset', table, token)
    passwords.set(`${table.id}/${row.id}`, hashed(password))
    return context.json({ rowsAffected: 1 })
  })
  app.post(`${auth}/confirm-email-change`, async (context) => {
    const [table, { token, password }] = [tableFor(context), await bodyOf(context)]
    const id = proofs.get(String(token))?.id
    if (passwords.get(`${table.id}/${id}`) !== hashed(String(password)))
      throw new RejectedRequest(401, 'the password does not match')
    const { row, to } = proven('email-change', table, token)
    row.email = to
    return context.json({ rowsAffected: 1 })
  })
  app.notFound((context) => context.json({ error: 'no such path', sqlstate: '42P01' }, 404))
  app.onError((error, context) => {
    const status = error instanceof RejectedRequest ? error.status : 500
    return context.json({ error: error.message, sqlstate: status === 401 ? '28000' : '22000' }, status)
  })

  return {
    fetch: (request) => app.fetch(request),
    hooks: {
      clock: ({ advance }) => {
        ahead += Number(advance) * 1_000
        return { now: new Date(now()).toISOString() }
      },
      createApiKey: ({ tables, actions }) => {
        const key = `key-${hex()}`
        callers.set(key, { kind: 'key', tables: tables as string[], actions: actions as string[] })
        return { id: key.slice(0, 12), key }
      },
      revokeApiKey: ({ id }) => {
        for (const key of callers.keys()) if (key.startsWith(String(id))) callers.delete(key)
      },
    },
  }
}

export const sql: LawfulServer = {
  name: 'sql',
  start,
  target: {
    notApplicable: {
      'batch.parent-with-children':
        'ids are counted, and a batch cannot name the id of a record that it creates',
    },
    binding: {
      'list.page': 'page_number',
      'list.perPage': 'page_size',
      'list.sort': 'order_by',
      'list.filter': 'where',
      'list.expand': 'join',
      'filter.equals': "{field} = '{value}'",
      'sort.ascending': '{field} ASC',
      'sort.descending': '{field} DESC',
      'otp.email': 'address',
      'otp.id': 'ticket',
      'otp.code': 'code',
      'oauth2.provider': 'idp',
      'oauth2.codeVerifier': 'code_verifier',
      'oauth2.redirectURL': 'redirect_uri',
      'flow.email': 'address',
      'emailChange.newEmail': 'new_address',
    },
    capabilities: { batch: true },
    tables: {
      plain: { name: 'notes', id: '1', fields: { title: 'body' } },
      related: { name: 'nodes' },
      everything: { name: 'samples' },
      cascading: { name: 'parts' },
      loose: { name: 'links' },
      unique: { name: 'codes' },
      owned: { name: 'papers' },
      locked: { name: 'vault' },
      members: { name: 'users' },
      staff: { name: 'clerks' },
      named: { name: 'nicknames' },
      mfa: { name: 'careful' },
      oauth: { name: 'guests' },
      passwordless: { name: 'code_users' },
      shortlived: { name: 'visitors' },
    },
    credentials: { superuser: { token: sqlSuperuserToken } },
  },
}
