/**
 * Tries one record in a table: whether it takes a text, and what else may be done with it.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { commonFields } from '../../spec/common-fields.ts'
import { recordOfCreate } from '../cleanup/record-of-create.ts'
import { isRejected } from '../judging/expect.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { createWithRequired } from './create-with-required.ts'
import { isAccount } from './find-tables.ts'
import { shownResponse } from './sign-up.ts'
import { usualTitles } from './title-of.ts'
import { usableResponse } from './usable-response.ts'

/** What came of a record in a table. */
export interface Trial {
  /** With the values that it requires. */
  table: TableRef
  /** What the server accepted: list, view, create, update, delete. */
  accepted: string[]
  /** What the server sent no usable response to, or failed at, and how. The checks report it. */
  faulty: Map<string, string>
  /** Whether the record holds its text. */
  shows: boolean
  /** Fields of the record that may hold a text; undefined if it is not known. */
  texts?: readonly string[]
  /** Fields of the record that are empty, or hold another text. */
  others?: readonly string[]
  /** How the update was rejected, if the text itself may be the reason. */
  unchangeable?: string
  /** How a second record with the same text was rejected. */
  unique?: string
  /** To the create; undefined if it cannot be used. */
  response: ApiResponse | undefined
}

/** Whether all that the checks do with a plain record was accepted, or went wrong in a way that permissions do not explain. */
export function isWhole({ accepted, faulty }: Trial): boolean {
  return ['create', 'update', 'delete'].every((action) => accepted.includes(action) || faulty.has(action))
}

/** Creates a record with one text, does with it what the checks do, and deletes it. */
export async function tryRecord(
  session: Wire & CleanUp,
  candidate: TableRef,
  unique: (prefix?: string) => string,
): Promise<Trial> {
  const api = session.api('guest')
  const mark = session.cleanup.mark()
  const accepted: string[] = []
  const faulty = new Map<string, string>()
  const title = unique('try')
  /** A request after which the trial continues, whatever comes of it. */
  const attempt = async (action: string, request: () => Promise<ApiResponse>) => {
    let why = ''
    const response = await usableResponse(request, (problem) => {
      why = problem
    })
    if (response === undefined) faulty.set(action, why)
    else if (isFailure(response)) faulty.set(action, shownResponse(response))
    else if (!isRejected(response)) accepted.push(action)
    return response
  }
  try {
    const { response, table } = await createWithRequired(
      session,
      api,
      candidate,
      (each) => usableResponse(() => api.create(each, { title })),
      candidate.fields?.title,
    )
    if (response?.ok !== true) return { table, accepted, faulty, shows: false, response }
    const record = await usableResponse(() => recordOfCreate(session, api, table, response, { title }))
    const shows = isObject(record) && Object.values(record).includes(title) && !isAccount(record)
    if (record !== undefined && !shows)
      return { table, accepted: ['create'], faulty, shows, response, texts: textsOf(record) }
    const id = record?.id
    const actions: [string, () => Promise<ApiResponse>][] =
      id === undefined
        ? []
        : [
            ['view', () => api.view(table, id)],
            ['update', () => api.update(table, id, { title: unique('try') })],
            ['delete', () => api.delete(table, id)],
          ]
    await attempt('list', () => api.list(table))
    accepted.push('create')
    let update: ApiResponse | undefined
    for (const [action, request] of actions) {
      const done = await attempt(action, request)
      if (action === 'update') update = done
    }
    // The checks report a create that returns no id.
    if (id === undefined) accepted.push('update', 'delete')
    const rest = Object.entries(record ?? {}).filter(([, value]) => value !== title)
    const others = textsOf(Object.fromEntries(rest))
    const trial = { table, accepted, faulty, shows, others, response }
    // A client that may not delete the record, either, most often may change nothing in it.
    if (record === undefined || update === undefined || !isAboutText(update) || !accepted.includes('delete'))
      return trial
    return { ...trial, texts: others, unchangeable: shownResponse(update) }
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

/**
 * Creates two records with the same text, and deletes them: the checks of lists need several that share one.
 *
 * @returns how the second was rejected; undefined if it was not
 */
export async function tryRepeat(
  session: Wire & CleanUp,
  table: TableRef,
  unique: (prefix?: string) => string,
): Promise<string | undefined> {
  const api = session.api('guest')
  const mark = session.cleanup.mark()
  const body = { title: unique('repeat') }
  try {
    const [first, second] = [
      await usableResponse(() => api.create(table, body)),
      await usableResponse(() => api.create(table, body)),
    ]
    return first?.ok === true && second !== undefined && isAboutText(second)
      ? shownResponse(second)
      : undefined
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

function isFailure({ status }: ApiResponse): boolean {
  return status >= 500
}

/** Whether a rejection may be due to the text: no missing operation or record, and no missing permission. */
function isAboutText(response: ApiResponse): boolean {
  return isRejected(response) && ![401, 403, 404, 405].includes(response.status)
}

/**
 * Fields that may hold the text of a record, those with a usual name first.
 *
 * @param names the usual ones, the likeliest first
 */
export function likeliestFirst(fields: readonly string[], names: readonly string[] = usualTitles): string[] {
  const usual = names.filter((name) => fields.includes(name))
  return [...usual, ...fields.filter((name) => !usual.includes(name))]
}

/** The fields of a new record that are empty, or hold a text. */
export function textsOf(record: Readonly<Record<string, unknown>>): string[] {
  const common: readonly string[] = commonFields
  return Object.entries(record)
    .filter(([field, value]) => !common.includes(field) && (value === null || typeof value === 'string'))
    .map(([field]) => field)
}
