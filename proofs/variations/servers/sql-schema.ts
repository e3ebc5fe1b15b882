/** The schema of the SQL server, as its migrations would have it. */

import type { Fields } from './plumbing.ts'

export interface SqlRow extends Fields {
  id: number
}

export interface SqlTable {
  id: string
  name: string
  /** Column → type, with what a deleted record does to those who refer to it behind a slash. */
  columns: Record<string, string>
  grant: 'all' | 'superuser' | 'owner' | 'account'
  /** Columns that sign in; none where passwords do not. */
  identities: string[]
  methods: string[]
  /** Milliseconds. */
  lifetime: number
  rows: Map<number, SqlRow>
  sequence: number
}

export interface SqlSession {
  kind: 'session'
  table: SqlTable
  id: number
  until: number
}
export interface Key {
  kind: 'key'
  tables: string[]
  actions: string[]
}
export type SqlCaller = SqlSession | Key | { kind: 'superuser' } | { kind: 'guest' }

export const sqlSuperuserToken = 'postgres-superuser-4f1c9a07'
const account = 'email text unique, verified boolean, name text, username text unique'
export const schema: [string, string, SqlTable['grant'], string, string, number?][] = [
  ['notes', 'body text', 'all', '', ''],
  ['nodes', 'name text, rank number, parent nodes/restrict', 'all', '', ''],
  [
    'samples',
    'text text, number number, bool boolean, email text, url text, editor text, date date, stamp auto, select text, selects array, json json, file file, files file, relation nodes/null, relations array, password secret, geo json',
    'all',
    '',
    '',
  ],
  ['parts', 'label text, parent notes/cascade', 'all', '', ''],
  ['links', 'label text, one notes/null, many array', 'all', '', ''],
  ['codes', 'code text unique, grp text, slot number, alias text, nick text, twin nodes/null', 'all', '', ''],
  ['papers', 'title text, owner users/cascade', 'owner', '', ''],
  ['vault', 'title text', 'superuser', '', ''],
  ['users', account, 'account', 'email username', 'password otp'],
  ['clerks', account, 'account', 'email', 'password'],
  ['nicknames', account, 'account', 'username', 'password'],
  ['careful', account, 'account', 'email', 'password otp mfa'],
  ['guests', account, 'account', 'email', 'password oauth2'],
  ['code_users', account, 'account', '', 'otp'],
  ['visitors', account, 'account', 'email', 'password', 10_000],
]
