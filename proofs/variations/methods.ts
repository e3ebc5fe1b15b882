/** What auth-methods says, in the forms and words of servers that really exist. */

import { type JsonValue, tamper } from '../faults/combinators/combinators.ts'
import { oauth2 } from './near.ts'
import { type VariationOptions, variation, variationsOf } from './variation.ts'

variationsOf('methods')

const near = [
  'auth-methods.lists',
  'auth-methods.without-token',
  'auth-methods.agrees-password',
  'auth-methods.agrees-otp',
  'auth.table-by-id',
  'otp.sign-in',
]
const options = { because: 'auth.payloads', near }

/** The methods that the reference reports as enabled. */
const enabledIn = (body: JsonValue) =>
  ['password', 'otp', 'oauth2'].filter(
    (method) => (body[method] as { enabled?: boolean } | undefined)?.enabled,
  )
const all = ['password', 'otp', 'oauth2'] as const

const DOCUMENT = { password: 'password', otp: 'one-time password', oauth2: 'OAuth 2.0' } as const
const CAMEL = { password: 'emailPassword', otp: 'oneTimePassword', oauth2: 'oauth2' } as const
type Names = Readonly<Record<(typeof all)[number], string>>

const named = (names: Names, body: JsonValue) =>
  all.filter((each) => enabledIn(body).includes(each)).map((each) => names[each])

/** The tester of such a server knows its capabilities. No one can be sent to a provider that is not named. */
const unnamed: VariationOptions = {
  ...options,
  target: (target) => ({
    ...target,
    capabilities: { ...target.capabilities, otp: true, oauth2: true },
  }),
  declares: Object.fromEntries(
    ['auth-methods.agrees-oauth2', ...oauth2].map((id) => [id, 'no provider is named']),
  ),
}

function reported(name: string, form: (body: JsonValue) => unknown): void {
  variation(name, unnamed, tamper('listAuthMethods', form))
}

variation('the keys of methods are in another order each time', options, (tools) => {
  let turn = 0
  return tamper('listAuthMethods', (body) => {
    const entries = Object.entries(body)
    return Object.fromEntries(turn++ % 2 === 0 ? entries.toReversed() : entries)
  })(tools)
})
reported('methods are a list of names', enabledIn)
reported('methods are a list of names, as the document writes them', (body) => named(DOCUMENT, body))
reported('methods are a list of names, refresh among them', (body) => [...named(DOCUMENT, body), 'refresh'])
reported('methods are a list of entries', (body) => enabledIn(body).map((name) => ({ name })))
reported('methods are a list of entries, each with enabled', (body) =>
  all.map((name) => ({ name, enabled: enabledIn(body).includes(name) })),
)
reported('methods are a list of entries, each with a status', (body) =>
  all.map((type) => ({
    type: DOCUMENT[type],
    status: enabledIn(body).includes(type) ? 'enabled' : 'disabled',
  })),
)
reported('methods are a list of entries, some of them disabled', (body) =>
  all.map((method) => ({
    method,
    disabled: !enabledIn(body).includes(method),
    label: `Sign in by ${method}`,
  })),
)
reported('methods are under the key methods', (body) => ({ methods: enabledIn(body) }))
reported('methods are entries under the key data', (body) => ({
  data: all.map((name) => ({ name: CAMEL[name], enabled: enabledIn(body).includes(name) })),
}))
reported('methods are keys with booleans', (body) =>
  Object.fromEntries(all.map((name) => [name, enabledIn(body).includes(name)])),
)
reported('methods are keys with booleans and other names', (body) =>
  Object.fromEntries(all.map((name) => [CAMEL[name], enabledIn(body).includes(name)])),
)
reported('methods are keys that end with Enabled', (body) =>
  Object.fromEntries(all.map((name) => [`${name}Enabled`, enabledIn(body).includes(name)])),
)
reported('methods are keys as the document writes them', (body) =>
  Object.fromEntries(all.map((name) => [DOCUMENT[name], { enabled: enabledIn(body).includes(name) }])),
)
reported('only enabled methods are keys', (body) =>
  Object.fromEntries(enabledIn(body).map((name) => [name, {}])),
)
variation(
  'methods include the requirements of the table',
  options,
  tamper('listAuthMethods', (body) => ({
    ...body,
    refresh: { enabled: true },
    rules: { passwordLength: 8, captcha: false },
  })),
)

variation(
  'an auth table has a provider of its own, which no test can use',
  { because: '5 item 4', near: ['auth-methods.agrees-oauth2'] },
  tamper('listAuthMethods', (body, _request, { table }) => {
    const authURL = 'https://login.example.com/authorize?client_id=staff&response_type=code'
    const providers = [{ name: 'corporate', authURL }]
    return table === 'conf_staff' ? { ...body, oauth2: { enabled: true, providers } } : body
  }),
)

variation(
  'auth-methods uses other names',
  {
    ...unnamed,
    near: ['auth-methods.lists', 'auth-methods.without-token', 'auth-methods.agrees-password'],
    declares: {
      ...unnamed.declares,
      'auth-methods.agrees-otp': 'none of its names is known',
      'auth-methods.lists': 'none of its names is known',
      'auth-methods.agrees-password': 'none of its names is known',
    },
  },
  tamper('listAuthMethods', (body) => enabledIn(body).map((_, at) => ({ strategy: `strategy-${at}` }))),
)
