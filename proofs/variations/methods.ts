/** What auth-methods says, in the forms and words of servers that really exist. */

import { all as both, type JsonValue, on, rewriteBody, tamper } from '../faults/combinators/combinators.ts'
import { fieldRejection } from '../faults/combinators/field.ts'
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

/** The tester of such a server knows its capabilities, and configures the suite's provider, which no response names. */
const unnamed: VariationOptions = {
  ...options,
  near: [...near, 'auth-methods.agrees-oauth2', ...oauth2],
  target: (target) => ({
    ...target,
    capabilities: { ...target.capabilities, otp: true, oauth2: true },
  }),
}

function reported(name: string, form: (body: JsonValue) => unknown): void {
  variation(name, unnamed, tamper('listAuthMethods', form))
}

const OPTIONS = { password: 'emailAndPassword', otp: 'emailOTP', oauth2: 'socialProviders' } as const
const UNKNOWN = { ...OPTIONS, password: 'parole' } as const

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
reported('methods are keys with the names of options', (body) => ({
  ...Object.fromEntries(all.map((name) => [OPTIONS[name], { enabled: enabledIn(body).includes(name) }])),
  emailVerification: { enabled: true },
}))
variation(
  'the password has a name that no one else uses, next to other methods',
  {
    ...unnamed,
    declares: Object.fromEntries(
      ['auth-methods.lists', 'auth-methods.agrees-password'].map((id) => [id, 'the name is not known']),
    ),
  },
  tamper('listAuthMethods', (body) =>
    Object.fromEntries(all.map((name) => [UNKNOWN[name], { enabled: enabledIn(body).includes(name) }])),
  ),
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

/** No test can use a provider that is not the suite's. */
const foreign: VariationOptions = {
  ...unnamed,
  because: '5 item 4',
  near: ['auth-methods.agrees-oauth2', ...oauth2],
  declares: Object.fromEntries(
    ['auth-methods.agrees-oauth2', ...oauth2].map((id) => [id, 'its provider is not the one of the suite']),
  ),
}
const rejectsCodes = on('authWithOAuth2', async () => fieldRejection(400))
variation(
  'the provider is another one, and is only named',
  foreign,
  both(
    tamper('listAuthMethods', (body) => ({ password: body.password, oauth2: ['google'] })),
    rejectsCodes,
  ),
)
variation(
  'the provider is another one, and is not even named',
  foreign,
  both(
    tamper('listAuthMethods', (body) =>
      Object.fromEntries(all.map((name) => [name, enabledIn(body).includes(name)])),
    ),
    rejectsCodes,
  ),
)
variation(
  'the provider has a name that only the target file says',
  {
    ...unnamed,
    because: 'oauth2.fields',
    near: ['auth-methods.agrees-oauth2', ...oauth2],
    target: (target) => ({ ...target, services: { ...target.services, oidc: { name: 'google' } } }),
  },
  both(
    tamper('listAuthMethods', (body) => ({
      password: body.password,
      oauth2: { enabled: enabledIn(body).includes('oauth2') },
    })),
    rewriteBody('authWithOAuth2', (body) => ({
      ...body,
      provider: body.provider === 'google' ? 'oidc' : `no ${body.provider}`,
    })),
  ),
)
variation(
  'providers are keys with booleans',
  { because: 'oauth2.fields', near: ['auth-methods.agrees-oauth2', ...oauth2] },
  both(
    tamper('listAuthMethods', (body) => ({
      password: body.password,
      oauth2: { enabled: enabledIn(body).includes('oauth2'), github: false, corporate: true },
    })),
    rewriteBody('authWithOAuth2', (body) => ({
      ...body,
      provider: body.provider === 'corporate' ? 'oidc' : `no ${body.provider}`,
    })),
  ),
)

variation(
  'auth-methods uses other names',
  {
    ...unnamed,
    near: ['auth-methods.lists', 'auth-methods.without-token', 'auth-methods.agrees-password'],
    declares: {
      'auth-methods.agrees-oauth2': 'none of its names is known',
      'auth-methods.agrees-otp': 'none of its names is known',
      'auth-methods.lists': 'none of its names is known',
      'auth-methods.agrees-password': 'none of its names is known',
    },
  },
  tamper('listAuthMethods', (body) => enabledIn(body).map((_, at) => ({ strategy: `strategy-${at}` }))),
)
