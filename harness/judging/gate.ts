/**
 * Compares the needs of a check with what the target offers.
 *
 * @module
 */

import { isAboutEveryResponse } from '../../spec/is-about-every-response.ts'
import type { Need, Requirement } from '../../spec/vocabulary.ts'
import { credentialHint } from '../session/actors.ts'
import { hookHint } from '../target/call-hook.ts'
import { isAbsent, lacks } from '../target/is-absent.ts'
import { relationIn } from '../target/relation-in.ts'
import { secondAuthTable } from '../target/second-auth-table.ts'
import type { Status } from '../vocabulary/finding.ts'
import type { ClosedTable, RunSettings, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef, Target } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'

export interface CheckGate {
  status: Extract<Status, 'untestable' | 'not-applicable'>
  message: string
  hint?: string
}

/** The parts of a session that decide whether a check can be judged. */
export type Gated = Wire & RunSettings & TargetFacts

/**
 * The reason why a requirement cannot be judged; undefined if it can. What the target declares absent makes it
 * `not-applicable`; that is checked first, so that a missing table of an absent capability is not reported.
 */
export function gate(requirement: Requirement, session: Gated): CheckGate | undefined {
  const absent = declaredAbsence(requirement, session.target)
  if (absent !== undefined) return { status: 'not-applicable', message: absent }
  for (const need of requirement.needs) {
    const closed = gateOf(need, requirement, session)
    if (closed !== undefined) return closed
  }
  return undefined
}

/** The first need of a requirement that the target file declares absent, as a message; undefined if there is none. */
export function declaredAbsence(
  { id, operations, needs }: Pick<Requirement, 'id' | 'operations' | 'needs'>,
  target: Pick<Target, 'capabilities' | 'operations' | 'absentTables' | 'tables'>,
): string | undefined {
  const absent = operations.find((operation) => isAbsent(target, operation))
  if (absent !== undefined && !isAboutEveryResponse(id))
    return `the target file declares that the operation "${absent}" is absent`
  for (const need of needs) {
    const [kind, name = ''] = need.split(':')
    if (kind === 'capability' && lacks(target, name))
      return `the target file declares that "${name}" is absent`
    const role = neededRole(need)
    if (
      role !== undefined &&
      target.absentTables?.includes(role) === true &&
      !(mayBeReplaced(need) && isMet(need, role, target.tables))
    )
      return `the target file declares that there is no table with the role "${role}"`
  }
  return undefined
}

/**
 * The role of the table that a need is about. A relation needs `related`, or the two tables that replace it; a second auth
 * table `staff`, or another one.
 */
export function neededRole(need: Need): string | undefined {
  if (need === 'relation') return 'related'
  if (need === 'second-auth-table') return 'staff'
  const [kind, role] = need.split(':')
  return kind === 'table' ? role : undefined
}

/** Whether tables in other roles can do what the need is about. */
function mayBeReplaced(need: Need): boolean {
  return need === 'relation' || need === 'second-auth-table'
}

/** Whether the target has a table that does what the need is about. @param role that the need is about */
function isMet(need: Need, role: string, tables: Target['tables']): boolean {
  if (need === 'relation') return relationIn(tables) !== undefined
  if (need === 'second-auth-table') return secondAuthTable((each) => tables[each]) !== undefined
  return tables[role] !== undefined
}

/** The role of a table that the need is about, and that the target lacks. */
export function missingRole(need: Need, { tables }: Target): string | undefined {
  const role = neededRole(need)
  return role === undefined || isMet(need, role, tables) ? undefined : role
}

function gateOf(need: Need, { basis }: Requirement, session: Gated): CheckGate | undefined {
  const { target, options } = session
  if (need === 'write') {
    return options.readOnly === true
      ? { status: 'untestable', message: 'the run is read-only', hint: 'remove --read-only' }
      : undefined
  }
  const [kind, name = ''] = need.split(':')
  if (kind === 'capability') return capabilityGate(name, basis, session)
  const role = neededRole(need)
  if (role !== undefined) {
    const isMapped = isMet(need, role, target.tables)
    if (isMapped && mayBeReplaced(need)) return undefined
    const closed = session.closed.get(role)
    if (closed !== undefined && (basis === 'profile' || !isMapped))
      return {
        status: 'untestable',
        message: closedText(role, closed),
        hint: missingTableLine(role, session),
      }
    return isMapped ? sentByAnother(role, target) : missingTable(need, role)
  }
  if (kind === 'actor') {
    return session.actors.knows(name)
      ? undefined
      : {
          status: 'untestable',
          message: `the target file has no credential for "${name}"`,
          hint: credentialHint(name),
        }
  }
  return target.hooks?.[name] === undefined
    ? {
        status: 'untestable',
        message: `the hook "${name}" is missing`,
        hint: hookHint(name),
      }
    : undefined
}

/**
 * A table that is closed to guests, and has a second role in which someone stands in for them: what is sent as a guest has
 * that one's token, and shows nothing about guests.
 */
function sentByAnother(role: string, { tables }: Target): CheckGate | undefined {
  const name = tables[role]?.name
  const other = Object.values(tables).find((each) => each.name === name && each.as !== undefined)
  if (role !== 'locked' || other === undefined) return undefined
  return {
    status: 'untestable',
    message: `${name} has the role "${other.role}" as well, and "as" sends the requests of guests to it as ${JSON.stringify(other.as)}: nothing shows what guests may do there`,
    hint: `target file: "tables": { "${role}": { "name": "<another table>" } }, or { "${role}": false } if there is none`,
  }
}

function missingTable(need: Need, role: string): CheckGate {
  if (need === 'second-auth-table')
    return {
      status: 'untestable',
      message: 'the target has no auth table other than that of "members"',
      hint: tableHint(role),
    }
  return need === 'relation'
    ? {
        status: 'untestable',
        message: 'the target has no table with a relation that is known',
        hint: relationHint,
      }
    : {
        status: 'untestable',
        message: `the target has no table with the role "${role}"`,
        hint: tableHint(role),
      }
}

/** The lines that name two tables for checks of relations. */
export const relationHint =
  'target file: "tables": { "parent": { "name": "<your table>", "fields": { "name": "<a text>" } }, "child": { "name": "<a table with a relation to it>", "fields": { "name": "<a text>", "parent": "<the relation>" } } }, or { "related": false } if no record refers to another one'

function closedText(role: string, { name, rejected, needs }: ClosedTable): string {
  if (needs === 'second factor') return `${name} needs a second factor after the password (${rejected})`
  if (needs === 'verification')
    return `${name} rejects the password of a new account (${rejected}), but not like a wrong one: the account may have to be verified first`
  if (needs === 'another method')
    return `${name} reports no sign-in by password, and rejects it (${rejected})`
  if (needs === 'deletion')
    return `an account of ${name} may not delete itself (${rejected}), so no one could delete the accounts of the checks`
  const closed = `${name}, the table with the role "${role}", is closed to guests (${rejected})`
  return needs === 'account' ? `${closed}, and no account could sign in to take their place` : closed
}

/** The configuration line that adds a table. */
function tableLine(role: string): string {
  return `target file: "tables": { "${role}": { "name": "<your table>" } }`
}

/** The line for a table that is missing, or that guests may not use. */
export function missingTableLine(role: string, gated: Pick<Gated, 'actors' | 'closed' | 'target'>): string {
  const table = gated.closed.get(role)
  if (table?.needs === 'verification')
    return `${credentialHint('superuser')}: a superuser verifies the accounts`
  if (table?.needs === 'deletion') return `${credentialHint('superuser')}: a superuser deletes the accounts`
  if (table?.needs === 'second factor')
    return `target file: "tables": { "${role}": { "name": "<an auth table without a second factor>" }, "mfa": { "name": ${JSON.stringify(table.name)} } }`
  if (table?.needs === 'another method')
    return `target file: "tables": { "${role}": { "name": "<an auth table with passwords>" }, "passwordless": { "name": ${JSON.stringify(table.name)} } }, or { "${role}": false } if there is none`
  if (table?.needs === 'account')
    return `let a new account of ${gated.target.tables.members?.name} sign in, which sends the requests of guests to ${table.name}, or name one that exists: ${existingAccountLine([{ role, name: table.name }], gated)}`
  return table === undefined ? tableLine(role) : existingAccountLine([{ role, name: table.name }], gated)
}

/** The same, with the definition that the table needs. */
export function tableHint(role: string): string {
  return `${tableLine(role)}, with the definition of conf_${role} in spec/tables.yaml, or { "${role}": false } if there is none`
}

/**
 * A capability that the target file does not mention is not absent. What the server says about itself, in auth-methods
 * for example, only makes a requirement untestable: `auth-methods.agrees-*` and `operation.*` check whether it is true.
 */
function capabilityGate(
  name: string,
  basis: Requirement['basis'],
  { smoke }: TargetFacts,
): CheckGate | undefined {
  const found = smoke.capabilities[name]
  if (found === true) return undefined
  // Only a request that may write can detect it, and a check that needs it also needs `write`: then that is the reason.
  if (name === 'batch' && found === undefined) return undefined
  // The document does not say who may send batches: its checks look for a client that may. Who must not impersonate others
  // needs no superuser.
  if ((name === 'batch' || (name === 'impersonation' && found === undefined)) && basis !== 'profile')
    return undefined
  const { message, hint } = unfound[name] ?? { message: `no "${name}" was found`, hint: '' }
  const otherwise = `if the server does not have it: "capabilities": { "${name}": false }`
  return { status: 'untestable', message, hint: hint === '' ? otherwise : `${hint}; ${otherwise}` }
}

/** @param key of the binding, for a server that reports the method under another name */
const notReported = (what: string, key: string) => ({
  message: `auth-methods reports ${what} for none of the auth tables in the target file`,
  hint: `enable it for one of them, or name the key under which the server reports it: "binding": { "${key}": "<key>" }`,
})

/** Why a capability was not found, and what adds it. */
const unfound: Readonly<Record<string, { message: string; hint: string }>> = {
  mail: { message: 'the run has no access to the emails of the target', hint: hookHint('mailbox') },
  apiKeys: {
    message: 'the run cannot create API keys',
    hint: `${hookHint('createApiKey')}; or add keys with their scope to "credentials"`,
  },
  clock: { message: 'the run cannot move the clock of the target', hint: hookHint('clock') },
  impersonation: { message: 'the target file has no superuser', hint: credentialHint('superuser') },
  otp: notReported('one-time codes', 'methods.otp'),
  oauth2: notReported('OAuth 2.0', 'methods.oauth2'),
  mfa: notReported('multi-factor authentication', 'methods.mfa'),
  batch: { message: 'guests may not send batches', hint: 'allow guests to send batches' },
}

/** The lines of a target file that name an existing account, for tables that guests may not use. */
export function existingAccountLine(
  tables: readonly Pick<TableRef, 'role' | 'name'>[],
  { actors, target }: Pick<Gated, 'actors' | 'target'>,
): string {
  const lines = tables.map(
    ({ role, name }) => `"${role}": { "name": ${JSON.stringify(name)}, "as": "caller" }`,
  )
  const members = JSON.stringify(target.tables.members?.name ?? '<your auth table>')
  const signIn = `"table": ${members}, "identity": "<email>", "passwordEnv": "CALLER_PASSWORD"`
  const whole = `target file: "tables": { ${lines.join(', ')} }, "credentials": { "caller": { "signIn": { ${signIn} } } }`
  return actors.knows('superuser') ? `${whole}; or "as": "superuser", if no account may write there` : whole
}
