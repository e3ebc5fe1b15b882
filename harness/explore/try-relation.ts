/**
 * Tries whether records of one table refer to those of another: for checks of relations, expansion, and batches of a
 * parent with its children. What is created is deleted immediately.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { recordOfCreate } from '../cleanup/record-of-create.ts'
import { isRejected } from '../judging/expect.ts'
import { textWithoutEcho } from '../judging/without-echo.ts'
import { defined } from '../support/defined.ts'
import type { Relation } from '../target/relation-in.ts'
import type { CleanUp, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { createWithRequired } from './create-with-required.ts'
import { relationsMentioned, relationsNamed } from './relations-in.ts'
import { usualTitles } from './title-of.ts'
import { isWhole, tryRecord } from './try-record.ts'
import { usableResponse } from './usable-response.ts'

/** Pairs that are tried. */
const mostPairs = 4
/** Tables without records in which one is created to see its fields. */
const mostEmpty = 3

type Exploring = Wire & CleanUp & TargetFacts
type Unique = (prefix?: string) => string

/** Who sends the requests of guests to the tables of a pair. */
export interface PairSender {
  /** Absent: guests themselves. */
  as?: string | undefined
  token?: string | undefined
}

/**
 * The first of the likeliest pairs that takes a record with a relation.
 *
 * @param plain the table that was chosen for `plain`
 * @param sender of the requests of guests
 * @param relations pairs that records show. Where there are none, the names of fields are tried
 */
export async function tryRelations(
  session: Exploring,
  plain: TableRef,
  sender: PairSender,
  relations: readonly Relation[],
  unique: Unique,
): Promise<Relation | undefined> {
  const { plain: open = [], closed = [] } = session.target.explored ?? {}
  const texts = new Map([...open, ...closed, plain].map(({ name, fields }) => [name, fields?.title]))
  const guesses =
    relations.length > 0 ? relations : await namedRelations(session, texts, plain, sender, unique)
  for (const guess of guesses.slice(0, mostPairs)) {
    const found = await tryRelation(session, withTexts(guess, texts, plain), plain, sender, unique)
    if (found !== undefined) return found
  }
  return undefined
}

function withTexts(
  { child, parent }: Relation,
  texts: ReadonlyMap<string, string | undefined>,
  plain: TableRef,
): Relation {
  const complete = (table: TableRef): TableRef => {
    // Of the chosen table, it is known which text can be written, and what else it requires.
    const { fields, values } = table.name === plain.name ? plain : {}
    const name = fields?.title ?? table.fields?.name ?? texts.get(table.name)
    if (name === undefined) return table
    return { ...table, fields: { ...table.fields, name }, ...(values && { values }) }
  }
  return { child: complete(child), parent: complete(parent) }
}

/** Pairs by the names of the fields that new records show, or that a rejection names: tables without records show none. */
async function namedRelations(
  session: Exploring,
  texts: Map<string, string | undefined>,
  plain: TableRef,
  { token }: PairSender,
  unique: Unique,
): Promise<Relation[]> {
  const names = [...texts.keys()]
  // The chosen table has shown its text, and may be the child.
  const empty = names.filter((name) => name === plain.name || texts.get(name) === undefined)
  const guesses: Relation[] = []
  for (const name of empty.slice(0, mostEmpty)) {
    const known = texts.get(name)
    for (const title of known === undefined ? usualTitles : [known]) {
      const trial = await lent(session, token, [name], () =>
        tryRecord(session, { role: 'plain', name, fields: { title } }, unique),
      )
      if (trial.response === undefined) return guesses
      if (isRejected(trial.response))
        guesses.push(...relationsMentioned(name, textWithoutEcho(trial.response), names))
      if (guesses.length > 0) break
      if (!trial.shows || trial.others === undefined) continue
      texts.set(name, title)
      guesses.push(...relationsNamed({ name, text: title }, trial.others, names))
      break
    }
  }
  return guesses
}

/** The tables of the pair, if a record of each can be created, viewed and deleted, and one shows its relation to the other. */
async function tryRelation(
  session: Exploring,
  { child, parent }: Relation,
  plain: TableRef,
  { as, token }: PairSender,
  unique: Unique,
): Promise<Relation | undefined> {
  const title = parent.fields?.name
  if (title === undefined || child.fields?.name === undefined) return undefined
  const actor = defined({ as })
  const tables: Relation = { parent: { ...parent, ...actor }, child: { ...child, ...actor } }
  const found = await lent(session, token, [child.name, parent.name], async () => {
    if (parent.name !== plain.name) {
      const trial = await tryRecord(session, { role: 'plain', name: parent.name, fields: { title } }, unique)
      if (!trial.shows || !isWhole(trial)) return undefined
    }
    return referring(session, tables, unique)
  })
  if (found !== undefined && token !== undefined)
    for (const { name } of Object.values(found)) session.standIns.set(name, token)
  return found
}

/** The tables with the values that they require, if a record of the child refers to one of the parent. */
async function referring(
  session: Exploring,
  tables: Relation,
  unique: Unique,
): Promise<Relation | undefined> {
  const api = session.api('guest')
  const mark = session.cleanup.mark()
  const made = async (candidate: TableRef, body: { name: string; parent?: string }) => {
    const { response, table } = await createWithRequired(session, api, candidate, (each) =>
      usableResponse(() => api.create(each, body)),
    )
    if (response?.ok !== true) return undefined
    const record = await usableResponse(() => recordOfCreate(session, api, table, response, body))
    return record?.id === undefined ? undefined : { table, id: record.id }
  }
  try {
    const related = await made(tables.parent, { name: unique('parent') })
    if (related === undefined) return undefined
    const name = unique('child')
    const record = await made(tables.child, { name, parent: related.id })
    if (record === undefined) return undefined
    const { table: child, id } = record
    const view = await usableResponse(() => api.view(child, id))
    if (view?.ok !== true || !isObject(view.body)) return undefined
    if (view.body.name !== name || view.body.parent !== related.id) return undefined
    const deletion = await usableResponse(() => api.delete(child, id))
    return deletion?.ok === true ? { parent: related.table, child } : undefined
  } finally {
    await session.cleanup.cleanTo(mark)
  }
}

/** Sends the requests of guests to the tables with the token, while `request` runs. */
async function lent<T>(
  { standIns }: Exploring,
  token: string | undefined,
  names: readonly string[],
  request: () => Promise<T>,
): Promise<T> {
  if (token === undefined) return request()
  const others = names.filter((name) => !standIns.has(name))
  for (const name of others) standIns.set(name, token)
  try {
    return await request()
  } finally {
    for (const name of others) standIns.delete(name)
  }
}
