/** Additional keys, passwords and files: what a record shows although no client sent it. */

import {
  all,
  type JsonValue,
  json,
  on,
  parsedBody,
  reorder,
  tamper,
} from '../faults/combinators/combinators.ts'
import { fieldRejection, hasOwnFields, rejects, WRITES, withObject } from '../faults/combinators/field.ts'
import { showsAs, showsToo } from './combinators/responses.ts'
import { nearOperation } from './near.ts'
import { type Variation, variation, variationsOf } from './variation.ts'

variationsOf('additional keys')

const values = ['field-types.keep-values', 'update.changes-only-sent'] as const
const shown = ['field-types.all', ...values] as const
const because = 'fields.types'

/** Shows a password by whether there is one. */
const passwordShown =
  (set: unknown, unset: unknown): Variation['make'] =>
  (tools) => {
    const known = new Set<unknown>()
    const learn = on(WRITES, async (request, next) => {
      const sent = await parsedBody(request)
      const response = await next(request)
      if (response.ok && sent?.password) known.add(((await response.clone().json()) as JsonValue).id)
      return response
    })(tools)
    const show = showsAs('password', (_, { id }) => (known.has(id) ? set : unset))
    // A table whose records show no password has none to show.
    const shownToo = showsToo('*', (record) =>
      record.collectionName === 'conf_everything' ? { password: known.has(record.id) ? set : unset } : {},
    )
    const [one, two] = [show(tools), shownToo(tools)]
    return (request, next) => two(request, (each) => one(each, (inner) => learn(inner, next)))
  }
variation('a password is shown as asterisks', { because, near: values }, passwordShown('********', null))
variation('a password is shown as a boolean', { because, near: values }, passwordShown(true, false))
variation('a password is always shown as null', { because, near: values }, passwordShown(null, null))
variation(
  'a password is never shown',
  { because, near: shown },
  showsAs('password', () => undefined),
)

const eachFile = (change: (name: string) => unknown) => (value: unknown) => {
  if (Array.isArray(value)) return value.map((name) => change(String(name)))
  // Another variation may show no file as null.
  return value === '' || value === null ? value : change(String(value))
}
const files =
  (make: () => (name: string) => unknown): Variation['make'] =>
  (tools) => {
    const change = eachFile(make())
    const chain = [showsAs('file', change)(tools), showsAs('files', change)(tools)] as const
    return (request, next) => chain[0](request, (each) => chain[1](each, next))
  }
variation(
  'files are shown as URLs',
  { because, near: shown },
  files(() => (name) => `https://files.example.com/${name}`),
)
variation(
  'files are shown as URLs with a new signature in each response',
  { because, near: shown },
  files(() => {
    let turn = 0
    return (name) =>
      `https://files.example.com/${name}?expires=${turn}&signature=${(turn++ * 7919).toString(36)}`
  }),
)
variation(
  'files are shown as URLs with a new token in their path',
  { because, near: shown },
  files(() => {
    let turn = 0
    return (name) => `https://files.example.com/t${turn++}/${name}`
  }),
)
variation(
  'files are shown as objects',
  { because, near: shown },
  files(() => (name) => ({ name, size: 9, type: 'text/plain' })),
)
variation(
  'files are shown as objects with URLs that expire',
  { because, near: shown },
  files(() => {
    let turn = 0
    return (name) => ({
      id: name,
      filename: 'one.txt',
      url: `https://files.example.com/${turn++}/x`,
      expires: turn,
    })
  }),
)
variation(
  'a single file is shown as a list',
  { because, near: shown },
  showsAs('file', (value) => (value === '' ? [] : [value])),
)
variation(
  'an empty file field is null',
  { because, near: shown },
  showsAs('file', (value) => value || null),
)

/** Checks that compare whole records. */
const whole = [
  'create.only-one',
  'update.only-one',
  'delete.only-one',
  'table.one-at-a-time',
  'view.own-answer',
  'auth.own-answer',
  'view.no-effect',
  'view.record',
  'record.id-stable',
  ...values,
  'batch.all-or-nothing',
  'batch.across-tables',
  'batch.order',
] as const

variation(
  'a record counts its versions',
  { because: '2.1', near: whole },
  showsToo('*', (record) => ({ version: Date.parse(String(record.updated)) })),
)
variation(
  'a record counts its updates, and clients may set the count, as with lock_version in Rails',
  { because: '2.1', near: whole },
  (tools) => {
    const counts = new Map<unknown, unknown>()
    const count = on(WRITES, async (request, next, { operation, id: updated }) => {
      const { lock_version: sent, ...body } = (await parsedBody(request)) ?? {}
      const isUpdate = operation === 'updateRecord'
      if (isUpdate && sent !== undefined && sent !== (counts.get(updated) ?? 0)) return fieldRejection(409)
      const response = await next(sent === undefined ? request : withObject(request, body))
      if (!response.ok) return response
      const { id } = (await response.clone().json()) as JsonValue
      if (!isUpdate) counts.set(id, sent ?? 0)
      else if (Object.keys(body).length > 0) counts.set(id, Number(counts.get(id) ?? 0) + 1)
      return response
    })(tools)
    const show = showsToo('*', ({ id }) => ({ lock_version: counts.get(id) ?? 0 }))(tools)
    return (request, next) => show(request, (each) => count(each, next))
  },
)
variation(
  'a view shows an etag that a list does not',
  { because: '2.1', near: whole },
  showsToo(['viewRecord', 'createRecord'], ({ updated }) => ({ etag: `W/"${String(updated)}"` })),
)
variation('a view shows when it was last read', { because: '2.1', near: whole }, (tools) => {
  let turn = 0
  return showsToo(['viewRecord', 'listRecords'], () => ({ lastRead: turn++ }))(tools)
})
variation('a record counts how often it was viewed', { because: '2.1', near: whole }, (tools) => {
  const counts = new Map<unknown, number>()
  const count = (id: unknown) => counts.get(id) ?? 0
  const views = tamper('viewRecord', (record) => {
    counts.set(record.id, count(record.id) + 1)
    return record
  })(tools)
  const show = showsToo('*', ({ id }) => ({ views: count(id) }))(tools)
  return (request, next) => show(request, (each) => views(each, next))
})
variation(
  'a record shows what its caller can do',
  { because: '2.1', near: whole },
  showsToo(['viewRecord', 'listRecords'], () => ({ permissions: ['read', 'write'] })),
)
variation(
  'a record has links',
  { because: '2.1', near: whole },
  showsToo('*', ({ id }) => ({ _links: { self: { href: `/records/${String(id)}` } } })),
)
variation('a list shows how well each record matches', { because: '2.1', near: whole }, (tools) => {
  let turn = 0
  return showsToo('listRecords', () => ({ score: 1 / ++turn }))(tools)
})
variation(
  'a record has a position in its list',
  { because: '2.1', near: whole },
  tamper('listRecords', (body) => ({
    ...body,
    items: (body.items as JsonValue[]).map((item, index) => ({ ...item, _index: index })),
  })),
)

/** Operations whose bodies need a key of the server's own, and the bindings that add it. */
const demanding = [
  'authWithPassword',
  'authWithOAuth2',
  'requestOtp',
  'authWithOtp',
  'impersonate',
  'requestVerification',
  'confirmVerification',
  'requestPasswordReset',
  'confirmPasswordReset',
  'requestEmailChange',
  'confirmEmailChange',
  'batch',
] as const
const binding = Object.fromEntries(
  [...demanding, 'authRefresh', 'signUp'].map((operation) => [`body.${operation}`, '{"client":"web"}']),
)
const lacksClient = (body: JsonValue) => body.client !== 'web'
variation(
  'every operation outside records, and every new account, requires an additional key',
  {
    because: 'auth.payloads',
    near: [
      'auth.password-sign-in',
      'otp.sign-in',
      'oauth2.sign-in',
      'refresh.extends',
      'verification.confirms',
      'password-reset.confirms',
      'email-change.confirms',
      'impersonate.acts-as-record',
      'batch.mixes-methods',
      'derived.request-otp',
      'derived.auth-refresh',
      'derived.batch',
    ],
    alone: 'a hook or a variation that rewrites bodies would have to know the key',
    target: (target) => ({ ...target, binding: { ...target.binding, ...binding } }),
  },
  all(
    rejects(demanding, lacksClient, 422),
    on('authRefresh', async (request, next) =>
      lacksClient((await parsedBody(request)) ?? {}) ? fieldRejection(422) : next(request),
    ),
    on('createRecord', async (request, next, { table }) =>
      table === 'conf_members' && lacksClient((await parsedBody(request)) ?? {})
        ? fieldRejection(422)
        : next(request),
    ),
  ),
)

const noReason = 'the target file does not say what the body contains'
variation(
  'an impersonation requires a reason, which the target file does not have',
  {
    because: 'auth.payloads',
    near: nearOperation.impersonate,
    declares: {
      'impersonate.acts-as-record': noReason,
      'impersonate.superuser-only': noReason,
      'impersonate.missing-record': noReason,
      'derived.impersonate-proof': noReason,
    },
  },
  on('impersonate', async (request, next) =>
    (await parsedBody(request))?.reason === undefined
      ? json(400, { error: { code: 'validation_failed', field: 'reason', message: 'reason is required' } })
      : next(request),
  ),
)

const isElsewhere = (address: unknown) => typeof address === 'string' && !address.endsWith('@staff.test')
variation(
  'addresses of accounts are at a domain of the server',
  {
    because: 'auth.payloads',
    near: [
      'auth.password-sign-in',
      'auth.identity-email',
      'otp.sign-in',
      'oauth2.sign-in',
      'verification.confirms',
      'email-change.confirms',
    ],
    alone: 'other variations sign up accounts of their own',
    target: (target) => ({ ...target, binding: { ...target.binding, 'signUp.domain': 'staff.test' } }),
  },
  all(
    on(['createRecord', 'updateRecord'], async (request, next, { table }) =>
      table === 'conf_members' && isElsewhere((await parsedBody(request))?.email)
        ? fieldRejection(422)
        : next(request),
    ),
    rejects(['requestEmailChange'], ({ newEmail }) => isElsewhere(newEmail), 422),
    // A run sends no other address, so only this shows that the variation was met.
    showsToo('*', ({ verified }) => (verified === undefined ? {} : { domain: 'staff.test' })),
  ),
)

const ownToo = { because, near: ['update.applies', 'write.rejected-changes-nothing'] } as const
/** A value of each type, as a new record shows it. */
const OWN: JsonValue = { done: false, shared: true, stars: 1, subtitle: '' }
const isEmpty = (value: unknown) => value === false || value === 0 || value === ''
variation(
  'the own fields of a table are set by the server',
  ownToo,
  hasOwnFields(OWN, (own) => own),
)
variation(
  'the own fields of a table are cleared',
  ownToo,
  hasOwnFields(OWN, (own, sent) => ({ ...own, ...sent })),
)
variation(
  'the own fields of a table are null once they are cleared',
  ownToo,
  hasOwnFields(OWN, (own, sent) => ({
    ...own,
    ...Object.fromEntries(
      Object.entries(sent).map(([field, value]) => [field, isEmpty(value) ? null : value]),
    ),
  })),
)
variation(
  'lists leave out the own fields that are empty',
  { because, near: ['list.items-as-viewed', 'update.applies'] },
  all(
    reorder((items) =>
      items.map((item) =>
        Object.fromEntries(Object.entries(item).filter(([key, value]) => !(key in OWN && isEmpty(value)))),
      ),
    ),
    hasOwnFields(OWN, (own, sent) => ({ ...own, ...sent })),
  ),
)
variation(
  'a view shows an own number that each view increases, and lists do not',
  { because, near: ['list.items-as-viewed', 'update.applies'] },
  (tools) => {
    const views = new Map<string, number>()
    return on(['viewRecord', 'updateRecord'], async (request, next, { operation, table, id = '' }) => {
      const { reads } = (await parsedBody(request)) ?? {}
      const response = await next(request)
      if (table !== 'conf_plain' || !response.ok) return response
      if (typeof reads === 'number') views.set(id, reads)
      const shown = views.get(id) ?? 0
      if (operation === 'viewRecord') views.set(id, shown + 1)
      return json(response.status, { ...((await response.json()) as JsonValue), reads: shown })
    })(tools)
  },
)
variation(
  'an own number is never lowered, and an own text is written once',
  ownToo,
  hasOwnFields({ stars: 1, subtitle: '' }, (own, { stars = 0, subtitle }) => ({
    stars: Math.max(Number(own.stars), Number(stars)),
    subtitle: own.subtitle === '' ? (subtitle ?? '') : own.subtitle,
  })),
)
variation(
  'empty values of own fields are rejected',
  ownToo,
  all(
    rejects(['updateRecord'], (body) =>
      Object.keys(OWN).some((field) => field in body && isEmpty(body[field])),
    ),
    hasOwnFields(OWN, (own, sent) => ({ ...own, ...sent })),
  ),
)
variation('a record with an own flag is hidden', ownToo, (tools) => {
  const flagged = new Set<string>()
  const hide = on(['viewRecord', 'updateRecord'], async (request, next, { operation, id = '' }) => {
    const { draft } = (await parsedBody(request)) ?? {}
    if (operation === 'viewRecord' && flagged.has(id)) return fieldRejection(404)
    const response = await next(request)
    if (response.ok && draft === true) flagged.add(id)
    if (response.ok && draft === false) flagged.delete(id)
    return response
  })
  return all(
    hide,
    hasOwnFields({ draft: false }, (own, sent) => ({ ...own, ...sent })),
  )(tools)
})
variation(
  'values of another type are rejected in own fields',
  ownToo,
  all(
    rejects(WRITES, (body) =>
      Object.entries(OWN).some(([field, value]) => field in body && typeof body[field] !== typeof value),
    ),
    hasOwnFields(OWN, (own, sent) => ({ ...own, ...sent })),
  ),
)
