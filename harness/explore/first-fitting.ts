/**
 * Finds the table that takes a record with one text, among those that may.
 *
 * @module
 */

import { jsonObject } from '../../exchange/json-object.ts'
import { inWords } from '../../spec/in-words.ts'
import { isAboutPermission } from '../../spec/status-range.ts'
import { isRejected, mayBeAboutBody } from '../judging/expect.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { CleanUp, TargetFacts } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { isNowhere } from './is-nowhere.ts'
import { shownResponse } from './sign-up.ts'
import { usualTitles } from './title-of.ts'
import { isWhole, likeliestFirst, type Trial, tryRecord, tryRepeat } from './try-record.ts'

/** Tables that are tried by each kind of caller. */
const mostTables = 5
/** Fields of a record that are tried for its text, after one that did not hold it. */
const mostGuesses = 2

/** The table that fits best, and what is wrong with it or with the others. */
export interface Fitting {
  best?: Trial
  problem?: string
  /** Tables that reject a record with one text because of its content. */
  rejecting: readonly string[]
}

/**
 * The first of the tables that takes a record with one text; else the first that takes one with what it requires in addition;
 * else the one that came nearest.
 */
export async function firstFitting(
  session: Wire & CleanUp & TargetFacts,
  candidates: readonly TableRef[],
  unique: (prefix?: string) => string,
): Promise<Fitting> {
  const rejecting: string[] = []
  let problem: string | undefined
  let best: Trial | undefined
  let demanding: Trial | undefined
  for (const candidate of candidates.slice(0, mostTables)) {
    const known = candidate.fields?.title
    let titles: readonly string[] = known === undefined ? usualTitles : [known]
    for (let at = 0; at < titles.length; at += 1) {
      const title = titles[at] ?? ''
      const table = { ...candidate, fields: { title } }
      let trial = await tryRecord(session, table, unique)
      const { response, shows } = trial
      // Each further create may leave a record that no one knows of.
      if (response === undefined) return { best: demanding ?? best, problem, rejecting }
      // The checks report whether a create stores what it was sent.
      if (shows || (known === title && response.ok)) {
        if (isWhole(trial)) {
          const repeated = await tryRepeat(session, trial.table, unique)
          if (repeated === undefined && trial.table.values === undefined) return { best: trial, rejecting }
          if (repeated === undefined) {
            demanding ??= trial
            break
          }
          trial = { ...trial, unique: repeated, texts: trial.others ?? [] }
          if (best !== undefined && !isWhole(best)) best = trial
        }
        best ??= trial
        if (trial.unchangeable === undefined && trial.unique === undefined) break
      }
      if (!response.ok) {
        if (mayBeAboutBody(response) && !rejecting.includes(candidate.name)) rejecting.push(candidate.name)
        problem ??= await rejectionText(session, candidate, title, response)
      }
      // A server that ignores what it does not know shows in its record which fields there are. Nothing proves that this
      // record is the run's, so there are no more trials than needed.
      if (trial.texts !== undefined) {
        const tried = titles.slice(0, at + 1)
        const left = trial.texts.filter((field) => !tried.includes(field))
        titles = [...tried, ...likeliestFirst(left).slice(0, mostGuesses)]
      }
      // A table that is closed, or takes no records, takes none with another field.
      if (isRejected(response) && !mayBeAboutBody(response)) break
      // The text that the records show best may not be the one that each of them needs.
      if (isRejected(response) && titles.length === 1)
        titles = [title, ...usualTitles.filter((field) => field !== title)]
    }
  }
  return { best: demanding ?? best, problem, rejecting }
}

/** Why no record could be created, and what to do about it. */
async function rejectionText(
  session: Wire & CleanUp & TargetFacts,
  table: TableRef,
  title: string,
  response: ApiResponse,
): Promise<string> {
  if (await isNowhere(session, table, response))
    return `create does not exist, or is closed to guests: a POST to the records of ${table.name} responds like a path that does not exist (${response.status}). Most checks create records: implement it next`
  if (response.status >= 300 && response.status < 400)
    return `${table.name} redirects the create of a record (${shownResponse(response)}), and the run follows no redirects: nothing in the response shows that it was created`
  const others = Object.keys(jsonObject(response.exchange.request.body) ?? {}).filter((key) => key !== title)
  const fields = [title, ...others].map((key) => JSON.stringify(key))
  const sent = `${others.length === 0 ? 'only ' : ''}${inWords(fields)}`
  const text = `${table.name} rejects a record with ${sent} (${shownResponse(response)})`
  return isAboutPermission(response.status)
    ? text
    : `${text}: name another table in a target file, or the other values that its records require: "tables": { "plain": { "name": ${JSON.stringify(table.name)}, "fields": { "title": ${JSON.stringify(title)} }, "values": { "<field>": "<value>" } } }`
}
