/**
 * Gating: what a check cannot do without, held against what the target offers.
 *
 * @module
 */

import type { Need, Requirement } from '../../spec/vocabulary.ts'
import { credentialHint } from '../actors.ts'
import type { Session } from '../session.ts'
import { hookHint } from '../target/call-hook.ts'
import type { Status } from '../vocabulary/findings.ts'

export interface Gate {
  status: Extract<Status, 'untestable' | 'not-applicable'>
  message: string
  hint?: string
}

/**
 * The reason why a requirement cannot be judged; undefined when it can. A capability that the target does not have
 * makes it `not-applicable`; it is asked first, so that a missing table of a missing capability is no one's fault.
 */
export function gate(requirement: Requirement, session: Session): Gate | undefined {
  const gates = requirement.needs
    .map((need) => gateOf(need, requirement, session))
    .filter((each) => each !== undefined)
  return gates.find(({ status }) => status === 'not-applicable') ?? gates[0]
}

function gateOf(need: Need, { basis }: Requirement, session: Session): Gate | undefined {
  const { target, smoke, options } = session
  if (need === 'write') {
    return options.readOnly === true
      ? { status: 'untestable', message: 'the run is read-only', hint: 'leave out --read-only' }
      : undefined
  }
  const [kind, name = ''] = need.split(':')
  if (kind === 'capability') {
    if (smoke.capabilities[name] === undefined && name === 'mail') {
      return {
        status: 'untestable',
        message: 'nobody knows where the target sends its mails',
        hint: `${hookHint('mailbox')}; a server that sends none says "capabilities": { "mail": false }`,
      }
    }
    // Only a request that could write tells of it, and whoever needs it needs to write: that is the answer then.
    if (name === 'batch' && smoke.capabilities[name] === undefined && options.readOnly === true)
      return undefined
    return smoke.capabilities[name] === true
      ? undefined
      : { status: 'not-applicable', message: `the target has no "${name}": neither claimed nor found` }
  }
  if (kind === 'table') {
    const closed = session.closed.get(name)
    if (closed !== undefined && basis === 'profile')
      return {
        status: 'untestable',
        message: `the table in the role "${name}" is closed to guests (${closed})`,
        hint: tableHint(name),
      }
    return target.tables[name] === undefined
      ? {
          status: 'untestable',
          message: `the target has no table in the role "${name}"`,
          hint: tableHint(name),
        }
      : undefined
  }
  if (kind === 'actor') {
    return session.actors.knows(name)
      ? undefined
      : {
          status: 'untestable',
          message: `the target gives no credential for "${name}"`,
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

/** The configuration line that brings a table. */
export function tableHint(role: string): string {
  return `target file: "tables": { "${role}": "<your table>" }, made as conf_${role} in spec/tables.yaml`
}
