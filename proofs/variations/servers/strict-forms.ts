/** What the strict server knows: its tables, its types, and the keys that each endpoint takes. */

import { isObject } from '../../../exchange/json-object.ts'
import type { Fields } from './plumbing.ts'

export type Item = Fields & { id: string }
type Check = (value: unknown) => boolean

export interface Shelf {
  id: string
  fields: Record<string, string>
  access: 'open' | 'owner' | 'admin' | 'self'
  signIn: string[]
  seconds: number
  items: Map<string, Item>
}

export interface StrictClaims {
  kind: string
  shelf: string
  id: string
  /** Of the password and address that the account had. */
  generation: number
  ends: number
  to?: string
}

export const admin = 'adm1n-9d1f6b2c40e7'
export const strictUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
export const text: Check = (value) => typeof value === 'string'
export const exact = (value: unknown, ...keys: string[]) =>
  isObject(value) && Object.keys(value).sort().join() === keys.join()
export const checks: Record<string, Check> = {
  text,
  number: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  email: (value) => text(value) && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(value)),
  url: (value) => text(value) && URL.canParse(String(value)),
  date: (value) => text(value) && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)),
  choice: (value) => ['a', 'b', 'c'].includes(String(value)) && text(value),
  choices: (value) => Array.isArray(value) && value.every((each) => /^[a-e]$/.test(String(each))),
  json: () => true,
  file: (value) => exact(value, 'base64', 'name'),
  secret: (value) => text(value) && String(value).length >= 8,
  point: (value) =>
    exact(value, 'lat', 'lon') && Object.values(value as Fields).every((each) => typeof each === 'number'),
}
const people = 'email:email verified:bool name:text username:text'
export const plan: [string, string, Shelf['access'], string, number?][] = [
  ['cards', 'title:text', 'open', ''],
  ['branches', 'name:text rank:number parent:ref', 'open', ''],
  [
    'specimens',
    'text:text number:number bool:bool email:email url:url editor:text date:date stamp:auto select:choice selects:choices json:json file:file files:json relation:ref relations:refs password:secret geo:point',
    'open',
    '',
  ],
  ['pieces', 'label:text parent:ref', 'open', ''],
  ['ties', 'label:text one:ref many:refs', 'open', ''],
  ['serials', 'code:text! grp:text slot:number alias:text nick:text twin:ref', 'open', ''],
  ['letters', 'title:text owner:ref', 'owner', ''],
  ['archive', 'title:text', 'admin', ''],
  ['citizens', people, 'self', 'email username otp'],
  ['officers', people, 'self', 'email'],
  ['nicks', people, 'self', 'username'],
  ['doubled', people, 'self', 'email otp mfa'],
  ['foreigners', people, 'self', 'email oauth2'],
  ['coded', people, 'self', 'otp'],
  ['passers-by', people, 'self', 'email', 10],
]
/** What each endpoint takes; a question mark marks what may be left out. */
export const strictForm: Record<string, string> = {
  'auth-with-password': 'identity password mfaId?',
  'auth-with-oauth2': 'provider code codeVerifier redirectURL mfaId?',
  'request-otp': 'email',
  'auth-with-otp': 'otpId code mfaId?',
  'auth-refresh': '',
  impersonate: 'duration?',
  'request-verification': 'email',
  'confirm-verification': 'token',
  'request-password-reset': 'email',
  'confirm-password-reset': 'token password passwordConfirm',
  'request-email-change': 'newEmail',
  'confirm-email-change': 'token password',
}
