/**
 * A closed server. No one signs up, and no one lists accounts: a superuser creates them, verified, and deletes them. A
 * provider signs in only people whom the superuser has entered before. What a caller may not see looks as if it did not
 * exist: 404. Strangers cannot send batches.
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

type Paper = Fields & { id: string }

interface Drawer {
  number: number
  lock: 'unlocked' | 'own' | 'staff-only' | 'members'
  identity: readonly string[]
  methods: readonly string[]
  /** Milliseconds. */
  visit: number
  papers: Paper[]
}

const keeper = 'keeper.8c1e7f03.d5'
const single = new Set(['parent', 'owner', 'one', 'twin', 'relation'])
const drawer = (
  number: number,
  lock: Drawer['lock'],
  identity = '',
  methods = '',
  visit = 900_000,
): Drawer => ({
  number,
  lock,
  identity: identity.split(' ').filter(Boolean),
  methods: methods.split(' ').filter(Boolean),
  visit,
  papers: [],
})

function start(surroundings: Surroundings): RunningServer {
  const { provider, seed } = surroundings
  const send = mailer(surroundings)
  const secret = secrets(seed, 'closed')
  const drawers: Record<string, Drawer> = {
    forms: drawer(101, 'unlocked'),
    offices: drawer(102, 'unlocked'),
    catalogue: drawer(103, 'unlocked'),
    annexes: drawer(104, 'unlocked'),
    pointers: drawer(105, 'unlocked'),
    stamps: drawer(106, 'unlocked'),
    dossiers: drawer(107, 'own'),
    vault: drawer(108, 'staff-only'),
    members: drawer(109, 'members', 'email username', 'password code'),
    porters: drawer(110, 'members', 'email', 'password'),
    guests: drawer(111, 'members', 'username', 'password'),
    trustees: drawer(112, 'members', 'email', 'password code two'),
    partners: drawer(113, 'members', 'email', 'password provider'),
    couriers: drawer(114, 'members', 'email', 'code'),
    callers: drawer(115, 'members', 'email', 'password', 10_000),
  }
  const passwords = new Map<string, string>()
  const passes = new Map<string, { drawer: string; id: string; until: number }>()
  const keys = new Map<string, { number: string; may: (name: string, action: string) => boolean }>()
  const slips = new Map<string, { about: string; id: string; drawer: string; says: string; until: number }>()
  let born = 0
  let ahead = 0
  const now = () => Date.now() + ahead
  const gone = (): never => {
    throw new RejectedRequest(404, 'Nothing is here.')
  }
  const wrong = (reason: string): never => {
    throw new RejectedRequest(400, reason)
  }
  const token = () => secret(18).toString('base64').replaceAll(/[+/=]/g, 'k')
  const slip = (about: string, drawer: string, id: string, says: string, minutes: number) => {
    const number = token()
    slips.set(number, { about, drawer, id, says, until: now() + minutes * 60_000 })
    return number
  }
  function take(about: string, drawer: string, number: unknown) {
    const found = slips.get(String(number))
    return found?.about === about && found.drawer === drawer && found.until > now()
      ? found
      : wrong('This slip is void.')
  }

  const open = (segment: string): [string, Drawer] =>
    Object.entries(drawers).find(([name, { number }]) => name === segment || `no-${number}` === segment) ??
    gone()
  const paperOf = (name: string, id: unknown): Paper =>
    drawers[name]?.papers.find((each) => each.id === id) ?? gone()
  const show = (name: string, { password: _hidden, ...paper }: Paper): Fields => ({
    collectionId: `no-${drawers[name]?.number}`,
    collectionName: name,
    ...paper,
  })

  function visitor(context: Context) {
    const shown = context.req.header('authorization') ?? ''
    const pass = passes.get(shown)
    const valid = pass && pass.until > now() && drawers[pass.drawer]?.papers.some(({ id }) => id === pass.id)
    return { keeper: shown === keeper, key: keys.get(shown), pass: valid ? pass : undefined }
  }
  type Visitor = ReturnType<typeof visitor>

  function admits({ keeper, key, pass }: Visitor, name: string, action: string, paper?: Fields): boolean {
    if (keeper || key) return keeper || key?.may(name, action) === true
    const lock = drawers[name]?.lock
    if (lock === 'unlocked') return true
    if (lock === 'own') return pass?.drawer === 'members' && (action === 'list' || paper?.owner === pass.id)
    // Accounts see and change only themselves; only the superuser deletes them.
    const own = pass?.drawer === name && pass.id === paper?.id
    return lock === 'members' && own && (action === 'view' || action === 'update')
  }

  function enter(name: string, paper: Paper, body: Fields, trusted: boolean): void {
    const { lock, papers } = drawers[name] as Drawer
    for (const [field, value] of Object.entries(body)) {
      if (/^(id|created|updated|stamp|collection(Id|Name)|password(Again|Before)?)$/.test(field)) {
        if (field === 'password' && lock !== 'members') paper.password = hashed(String(value))
        continue
      }
      if (lock === 'members' && (field === 'verified' || field === 'email') && !trusted) continue
      const unique = field === 'code' || (lock === 'members' && (field === 'email' || field === 'username'))
      if (unique && value !== '' && papers.some((each) => each.id !== paper.id && each[field] === value))
        wrong(`${field}: taken`)
      if (
        single.has(field) &&
        value &&
        !Object.values(drawers).some((each) => each.papers.some(({ id }) => id === value))
      )
        wrong(`${field}: leads nowhere`)
      paper[field] = value
    }
    paper.updated = timestamp(now())
    if (name === 'catalogue') paper.stamp = paper.updated
  }

  /** Does a write, and gives what takes it back. */
  function write(
    who: Visitor,
    method: string,
    name: string,
    id: string | undefined,
    body: Fields,
  ): [Paper, () => void] {
    const { lock, papers } = drawers[name] as Drawer
    if (id === undefined) {
      if (method !== 'POST' || !admits(who, name, 'create', body)) return gone()
      const at = timestamp(now())
      const paper: Paper = {
        id: `p${(++born).toString(36).padStart(6, '0')}${secret(4).toString('hex')}`,
        created: at,
        updated: at,
      }
      if (lock === 'members') {
        if (typeof body.password !== 'string' || body.password.length < 10)
          wrong('password: 10 characters at least')
        passwords.set(paper.id, hashed(String(body.password)))
        // The superuser has checked the papers of everyone they enter.
        paper.verified = true
      }
      enter(name, paper, body, true)
      papers.push(paper)
      return [paper, () => papers.splice(papers.indexOf(paper), 1)]
    }
    const index = papers.findIndex((each) => each.id === id)
    const paper = papers[index] ?? gone()
    if (method === 'DELETE' && admits(who, name, 'delete', paper)) {
      papers.splice(index, 1)
      return [paper, () => papers.splice(index, 0, paper)]
    }
    if (method !== 'PATCH' || !admits(who, name, 'update', paper)) return gone()
    const before = { ...paper }
    const password = passwords.get(id)
    if (lock === 'members' && body.password !== undefined) {
      if (!who.keeper && passwords.get(id) !== hashed(String(body.passwordBefore)))
        wrong('passwordBefore: not that')
      passwords.set(id, hashed(String(body.password)))
    }
    enter(name, before, body, who.keeper)
    papers[index] = before
    const back = () => {
      papers.splice(index, 1, paper)
      if (password !== undefined) passwords.set(id, password)
    }
    return [before, back]
  }

  const bodyOf = async ({ req }: Context): Promise<Fields> =>
    (await bodyObject(req.raw)) ?? wrong('A JSON object, please.')
  const app = new Hono().basePath('/api/v1/')
  const records = 'collections/:drawer/records'
  app.get(records, (context) => {
    const [[name, { papers }], who, query] = [
      open(context.req.param('drawer')),
      visitor(context),
      context.req.query(),
    ]
    if (!admits(who, name, 'list')) gone()
    const found = papers.filter((paper) => who.keeper || who.key || admits(who, name, 'view', paper))
    const [is, value] = [
      query.where?.split(' is ')[0] ?? '',
      query.where?.split(' is ').slice(1).join(' is '),
    ]
    const chosen = query.where === undefined ? found : found.filter((paper) => `${paper[is] ?? ''}` === value)
    const [by, down] = (query.by ?? '').split('~')
    if (by) chosen.sort((a, b) => (Number(a[by] ?? 0) - Number(b[by] ?? 0)) * (down === undefined ? 1 : -1))
    const perPage = Math.max(1, Math.min(Number.parseInt(query.count ?? '20', 10) || 20, 250))
    const page = Math.max(1, Number.parseInt(query.leaf ?? '1', 10) || 1)
    const items = chosen.slice((page - 1) * perPage, page * perPage).map((paper) => {
      const field = query.attach ?? ''
      const [other, { papers = [] } = {}] =
        Object.entries(drawers).find(([, each]) => each.papers.some(({ id }) => id === paper[field])) ?? []
      const related = papers.find(({ id }) => id === paper[field])
      return { ...show(name, paper), ...(other && related && { attached: [show(other, related)] }) }
    })
    const totalPages = Math.ceil(chosen.length / perPage)
    // A link to the next page, if there is one.
    return context.json({
      page,
      perPage,
      totalItems: chosen.length,
      totalPages,
      items,
      ...(page < totalPages && { next: page + 1 }),
    })
  })
  app.get(`${records}/:id`, (context) => {
    const [name] = open(context.req.param('drawer'))
    const paper = paperOf(name, context.req.param('id'))
    return admits(visitor(context), name, 'view', paper) ? context.json(show(name, paper)) : gone()
  })
  app.post(records, async (context) => {
    const [name] = open(context.req.param('drawer'))
    const [paper] = write(visitor(context), 'POST', name, undefined, await bodyOf(context))
    return context.json({ id: paper.id }, 201)
  })
  app.on(['PATCH', 'DELETE'], `${records}/:id`, async (context) => {
    const { method } = context.req
    const [name] = open(context.req.param('drawer'))
    write(
      visitor(context),
      method,
      name,
      context.req.param('id'),
      method === 'PATCH' ? await bodyOf(context) : {},
    )
    return method === 'PATCH' ? context.json({ changed: true }, 202) : context.body(null, 204)
  })
  app.post('batch', async (context) => {
    const [who, { requests }] = [visitor(context), await bodyOf(context)]
    if (!who.keeper && !who.key && !who.pass) gone()
    const undo: (() => void)[] = []
    try {
      for (const each of Array.isArray(requests) ? requests : wrong('requests: a list')) {
        const { method, url, body } = isObject(each) ? each : wrong('requests: objects')
        const path = /^\/api\/v1\/collections\/([^/]+)\/records(?:\/([^/]+))?$/.exec(String(url)) ?? gone()
        const [name] = open(decodeURIComponent(path[1] ?? ''))
        const id = path[2] === undefined ? undefined : decodeURIComponent(path[2])
        undo.unshift(write(who, String(method), name, id, isObject(body) ? body : {})[1])
      }
    } catch (error) {
      for (const back of undo) back()
      throw error
    }
    return context.body(null, 204)
  })

  const house = (context: Context, method = ''): string => {
    const [name, { lock, methods }] = open(context.req.param('drawer') ?? '')
    return lock === 'members' && (method === '' || methods.includes(method)) ? name : gone()
  }
  const pass = (name: string, id: string): Fields => {
    const made = token()
    passes.set(made, { drawer: name, id, until: now() + (drawers[name]?.visit ?? 0) })
    return { token: made, record: show(name, paperOf(name, id)), visits: passes.size }
  }
  function admit(context: Context, name: string, id: string, by: string, mfaId: unknown) {
    if (!drawers[name]?.methods.includes('two')) return context.json(pass(name, id))
    if (mfaId === undefined) return context.json({ mfaId: slip('half', name, id, by, 5) }, 401)
    const half = take('half', name, mfaId)
    if (half.id !== id || half.says === by) wrong('The halves do not fit.')
    slips.delete(String(mfaId))
    return context.json(pass(name, id))
  }
  const reader = (name: string, address: unknown) =>
    drawers[name]?.papers.find(({ email }) => email && email === address)
  app.get('collections/:drawer/auth-methods', (context) => {
    const { methods, identity } = drawers[house(context)] as Drawer
    const has = (method: string) => methods.includes(method)
    return context.json({
      password: has('password') && identity,
      otp: has('code'),
      mfa: has('two'),
      oauth2: has('provider') && { providers: [{ name: 'oidc', ...visit(provider, token() + token()) }] },
      refresh: true,
    })
  })
  app.post('collections/:drawer/auth-with-password', async (context) => {
    const [name, { identity, password, mfaId }] = [house(context, 'password'), await bodyOf(context)]
    const { identity: fields = [], papers = [] } = drawers[name] ?? {}
    const paper = papers.find((each) => identity && fields.some((field) => each[field] === identity))
    if (paper === undefined || passwords.get(paper.id) !== hashed(`${password}`)) return gone()
    return admit(context, name, paper.id, 'password', mfaId)
  })
  app.post('collections/:drawer/request-otp', async (context) => {
    const [name, { email }] = [house(context, 'code'), await bodyOf(context)]
    const paper = reader(name, email)
    const code = [...secret(5)].map((byte) => byte % 10).join('')
    const number = slip('code', name, paper?.id ?? '', code, 4)
    if (paper) await send(String(email), 'At the gate', `Say ${code} at the gate.`)
    return context.json({ otp: { otpId: number } })
  })
  app.post('collections/:drawer/auth-with-otp', async (context) => {
    const [name, { otpId, password, mfaId }] = [house(context, 'code'), await bodyOf(context)]
    const { id, says } = take('code', name, otpId)
    if (says !== password) wrong('Not that code.')
    slips.delete(String(otpId))
    return admit(context, name, id, 'code', mfaId)
  })
  app.post('collections/:drawer/auth-with-oauth2', async (context) => {
    const [name, body] = [house(context, 'provider'), await bodyOf(context)]
    const { code, codeVerifier: verifier, redirectURL } = body as Record<string, string>
    const asked = { code: code ?? '', verifier: verifier ?? '', redirectURL: redirectURL ?? '' }
    const who = body.provider === 'oidc' ? await person(provider, asked) : undefined
    const paper = who && reader(name, who.email)
    return paper ? admit(context, name, paper.id, 'provider', body.mfaId) : gone()
  })
  app.post('collections/:drawer/auth-refresh', (context) => {
    const [name, { pass: mine }] = [house(context), visitor(context)]
    return mine?.drawer === name ? context.json(pass(name, mine.id)) : gone()
  })
  app.post('collections/:drawer/impersonate/:id', (context) => {
    const name = house(context)
    return visitor(context).keeper ? context.json(pass(name, context.req.param('id'))) : gone()
  })
  for (const about of ['verification', 'password-reset'])
    app.post(`collections/:drawer/request-${about}`, async (context) => {
      const [name, { email }] = [house(context), await bodyOf(context)]
      const paper = reader(name, email)
      const link = paper && slip(about, name, paper.id, '', 20)
      if (link) await send(String(email), about, `https://gate.example.com/confirm-${about}?slip=${link}`)
      return context.json({}, 202)
    })
  app.post('collections/:drawer/request-email-change', async (context) => {
    const [name, { pass: mine }, { newEmail }] = [house(context), visitor(context), await bodyOf(context)]
    if (mine?.drawer !== name) return gone()
    if (typeof newEmail !== 'string' || reader(name, newEmail)) wrong('newEmail: not available')
    const link = slip('email-change', name, mine.id, String(newEmail), 20)
    await send(String(newEmail), 'email-change', `https://gate.example.com/confirm-email-change?slip=${link}`)
    return context.json({}, 202)
  })
  app.post('collections/:drawer/:step{confirm-.+}', async (context) => {
    const [name, body] = [house(context), await bodyOf(context)]
    const about = context.req.param('step').replace('confirm-', '')
    const { id, says } = take(about, name, body.token)
    const paper = paperOf(name, id)
    if (about === 'password-reset' && `${body.password ?? ''}`.length < 10)
      wrong('password: 10 characters at least')
    if (about === 'email-change' && passwords.get(id) !== hashed(`${body.password}`))
      wrong('password: not that')
    slips.delete(String(body.token))
    if (about === 'password-reset') passwords.set(id, hashed(`${body.password}`))
    else if (about === 'email-change') paper.email = says
    else paper.verified = true
    return context.json({})
  })
  app.notFound((context) => context.json([{ text: 'Nothing is here.' }], 404))
  app.onError((error, context) =>
    context.json([{ text: error.message }], error instanceof RejectedRequest ? error.status : 500),
  )

  return {
    fetch: (request) => app.fetch(request),
    hooks: {
      clock: ({ advance }) => {
        ahead += Number(advance) * 1_000
        return { now: new Date(now()).toISOString() }
      },
      createApiKey: ({ tables, actions }) => {
        const [number, key] = [token(), token()]
        const [names, verbs] = [tables as string[], actions as string[]]
        keys.set(key, { number, may: (name, action) => names.includes(name) && verbs.includes(action) })
        return { id: number, key }
      },
      revokeApiKey: ({ id }) => {
        for (const [key, { number }] of keys) if (number === id) keys.delete(key)
      },
    },
  }
}

export const closed: LawfulServer = {
  name: 'closed',
  start,
  target: {
    notApplicable: {
      'verification.*': 'accounts are verified on creation',
      'auth-record.verified-not-claimed': 'accounts are verified on creation',
      'batch.parent-with-children': 'a batch cannot name the id of a record that it creates',
      'list.sort-text': 'lists are sorted by numbers only',
      'field-types.all': 'files are uploaded in a way that the document does not show',
    },
    binding: {
      'list.page': 'leaf',
      'list.perPage': 'count',
      'list.sort': 'by',
      'list.filter': 'where',
      'list.expand': 'attach',
      'filter.equals': '{field} is {value}',
      'sort.descending': '{field}~',
      'signUp.passwordConfirm': 'passwordAgain',
      'signUp.oldPassword': 'passwordBefore',
    },
    capabilities: { otp: true, mfa: true, oauth2: true },
    tables: {
      plain: { name: 'forms', id: 'no-101' },
      related: { name: 'offices' },
      everything: { name: 'catalogue' },
      cascading: { name: 'annexes' },
      loose: { name: 'pointers' },
      unique: { name: 'stamps' },
      owned: { name: 'dossiers' },
      locked: { name: 'vault' },
      members: { name: 'members' },
      staff: { name: 'porters' },
      named: { name: 'guests' },
      mfa: { name: 'trustees' },
      oauth: { name: 'partners' },
      passwordless: { name: 'couriers' },
      shortlived: { name: 'callers' },
    },
    credentials: { superuser: { token: keeper } },
  },
}
