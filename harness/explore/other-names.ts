/**
 * What a server calls the fields of sign-in requests and email flows, as far as its error responses say. The document does
 * not show these names, and only the tester can confirm them.
 *
 * @module
 */

import { operationPaths } from '../../spec/generated/operations.ts'
import { inWords } from '../../spec/in-words.ts'
import { isAboutBody } from '../../spec/status-range.ts'
import { authRoles } from '../../spec/tables.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { isAbsent } from '../target/is-absent.ts'
import type { CleanUp, RunSettings } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { extraKeys } from '../wire/extra-keys.ts'
import { makePaths } from '../wire/paths.ts'
import { isPartOfProof } from '../wire/proof-parts.ts'
import { type NamedRequest, namedRequests, namesLine, suggestedNames } from './asked-names.ts'
import type { Discovery } from './discover.ts'
import { namedFields } from './named-fields.ts'
import { requestSenderOf } from './send-request.ts'

const accountRoles = authRoles()
/** Maximum number of auth tables that are tried: an operation may be disabled for one of them. */
const mostTables = 3
/** Maximum number of requests of an operation: a server that names one missing field at a time is then sent that field. */
const mostRequests = 4
const madeUp = 'Conformance-No-1-Proof'

/** Names in the error responses of an operation that the run does not send. */
export interface OtherNames {
  operation: OperationId
  /** Of the path: `confirm-verification`. */
  action: string
  named: readonly string[]
  /** Keys of the binding with the names that may be meant. */
  suggested: Readonly<Record<string, string>>
}

/**
 * Sends requests that lack every field, or have only made-up values, and reads which fields the error responses name. A
 * read-only run sends none.
 *
 * @param discovery shows auth tables in addition to those of the target
 */
export async function otherNames(
  session: Wire & CleanUp & RunSettings,
  discovery: Pick<Discovery, 'found'> | undefined,
): Promise<OtherNames[]> {
  if (session.options.readOnly === true) return []
  const mapped = Object.values(session.target.tables).filter(({ role }) => accountRoles.has(role))
  const found = (discovery?.found ?? []).filter(({ auth }) => auth)
  const tables = [...new Set([...mapped, ...found].map(({ name }) => name))].slice(0, mostTables)
  return namesOf(session, tables)
}

async function namesOf(session: Wire & CleanUp, tables: readonly string[]): Promise<OtherNames[]> {
  const found: OtherNames[] = []
  let flows = 0
  /** Several operations have a name in common: it is suggested once. */
  const known: Record<string, string> = {}
  for (const request of namedRequests) {
    const { id, names } = request
    const named = isAbsent(session.target, id) ? [] : await namesIn(session, tables, request)
    const { suggested, left: others } = suggestedNames(
      named,
      names,
      { ...session.binding, ...known },
      session.target.named,
    )
    const left = id in proofKeys ? others.filter((name) => !isPartOfProof(name)) : others
    Object.assign(known, suggested)
    if (named.length > 0 && id in proofKeys) flows += 1
    if (Object.keys(suggested).length + left.length > 0)
      found.push({
        operation: id,
        action: actionOf(id),
        named: [...Object.values(suggested), ...left],
        suggested,
      })
  }
  return withCommonProof(found, flows)
}

/** Keys of the binding for the proof in each confirm step. */
const proofKeys: Partial<Record<OperationId, string>> = {
  confirmVerification: 'verification.token',
  confirmPasswordReset: 'passwordReset.token',
  confirmEmailChange: 'emailChange.token',
}

/**
 * One line instead of several where all flows have the same name for the proof.
 *
 * @param flows number of flows whose confirm steps named any fields
 */
function withCommonProof(found: readonly OtherNames[], flows: number): OtherNames[] {
  const proofs = found.flatMap(({ operation, suggested }) => suggested[proofKeys[operation] ?? ''] ?? [])
  const [name] = proofs
  if (name === undefined || proofs.length < Math.max(flows, 2) || proofs.some((each) => each !== name))
    return [...found]
  let isNamed = false
  return found.flatMap((each) => {
    const { [proofKeys[each.operation] ?? '']: proof, ...others } = each.suggested
    if (proof === undefined) return [each]
    const suggested = isNamed ? others : { 'flow.token': name, ...others }
    const named = isNamed ? each.named.filter((word) => word !== name) : each.named
    isNamed = true
    return named.length === 0 ? [] : [{ ...each, named, suggested }]
  })
}

/** Fields that the error responses of an operation name. */
async function namesIn(
  session: Wire & CleanUp,
  [table, ...others]: readonly string[],
  request: NamedRequest,
): Promise<string[]> {
  if (table === undefined) return []
  const { id, confirms } = request
  const sendRequest = requestSenderOf(session)
  const path = makePaths(session.binding).auth(table, actionOf(id))
  const names = new Set<string>()
  for (let count = 0; count < (confirms === true ? mostRequests : 1); count += 1) {
    const body = {
      ...extraKeys(id, session.binding),
      ...Object.fromEntries([...names].map((name) => [name, madeUp])),
    }
    const response = await sendRequest(path, { method: 'POST', body, operation: id })
    // A response with another status is not about the body.
    if (!isAboutBody(response.status)) break
    const before = names.size
    for (const name of namedFields(response.body ?? response.text)) names.add(name)
    if (names.size === before) break
  }
  return names.size > 0 ? [...names] : namesIn(session, others, request)
}

function actionOf(id: OperationId): string {
  return operationPaths.find((each) => each.id === id)?.segments.at(-1) ?? ''
}

/** The line of a report that says which key of the binding to set. */
export function otherNamesNote({ operation, action, named, suggested }: OtherNames): string {
  const list = inWords(named.map((name) => JSON.stringify(name)))
  return `${action} names ${list} in an error response, which the run does not send: if the request needs ${named.length === 1 ? 'it' : 'them'}, add ${namesLine(operation, suggested)}`
}
