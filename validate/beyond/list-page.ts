/**
 * Checks that the numbers of a list response are consistent with each other and with the request.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { countOf } from '../../spec/count-of.ts'
import { type BodyObject, isShortened, type Judging, parameter } from './judging.ts'

const most = 1000
const truths = ['1', 't', 'T', 'true', 'True', 'TRUE']

export function judgeListPage(judging: Judging, body: BodyObject): void {
  const { add, claim } = judging
  const { perPage, items } = body
  // Which sizes there are is left open (8): one below 1 can mean all records.
  if (Array.isArray(items) && Number.isInteger(perPage) && (perPage as number) >= 1) {
    claim('list.at-most-per-page')
    if (items.length > (perPage as number))
      add('list.at-most-per-page', '/items', `at most ${perPage} records`, `${items.length} records`)
  }
  judgeTotals(judging, body)
  judgeRepeated(judging, items)
  judgeEcho(judging, body)
}

function judgeTotals(judging: Judging, body: BodyObject): void {
  const { add, claim, claimed, query, amidWrites = false } = judging
  const { page, perPage, totalItems, totalPages, items } = body
  if (!Number.isInteger(totalItems) || !Number.isInteger(totalPages)) return
  const total = totalItems as number
  const skipped = parameter(query, 'skipTotal')
  if (truths.includes(skipped ?? '')) {
    claim('list.skip-total')
    if (total !== -1) add('list.skip-total', '/totalItems', '-1, because skipTotal was set', `${total}`)
    else if (totalPages !== -1)
      add('list.skip-total', '/totalPages', '-1, because skipTotal was set', `${totalPages}`)
    return
  }
  // Servers may accept other values for true.
  if (skipped !== undefined && total < 0) return
  if (!amidWrites) {
    claim('list.total-items')
    const here = Array.isArray(items) ? items.length : 0
    // All pages before a non-empty page are full, if pages count from 1.
    const isFilled = claimed && here > 0 && Number.isInteger(page) && Number.isInteger(perPage)
    const least = here + (isFilled ? Math.max(0, (page as number) - 1) * (perPage as number) : 0)
    // If a page number is too large for exact arithmetic, nothing is known about the pages before it.
    if (Number.isSafeInteger(least) && total < least) {
      add('list.total-items', '/totalItems', `at least the ${least} records up to this page`, `${total}`)
      return
    }
  }
  if (!Number.isInteger(perPage) || (perPage as number) < 1) return
  if (!amidWrites) judgeFullPage(judging, body, total)
  claim('list.total-pages')
  const pages = Math.ceil(total / (perPage as number))
  if (totalPages === pages) return
  // Zero items are zero pages, or a single empty one.
  const isEmptyPage = total === 0 && totalPages === 1
  add(
    isEmptyPage ? 'list.no-match' : 'list.total-pages',
    '/totalPages',
    `${pages}, for ${countOf(total, 'record')} at ${perPage} a page`,
    `${totalPages}`,
  )
}

/** The totals say how many records are on the page. More of them are reported elsewhere. */
function judgeFullPage({ add, claim, claimed }: Judging, body: BodyObject, total: number): void {
  const { items } = body
  const [page, perPage] = [body.page as number, body.perPage as number]
  // Where pages start is left open. No page has more records than those before it, so from 0 on is the safe assumption.
  const before = claimed ? page - 1 : page
  if (!Array.isArray(items) || !Number.isSafeInteger(before) || before < 0 || total < 0) return
  const left = total - before * perPage
  if (!Number.isSafeInteger(left)) return
  claim('list.full-pages')
  const least = Math.min(perPage, left)
  if (items.length >= least) return
  const expected = `${claimed ? '' : 'at least '}${least} of the ${total} records, ${perPage} a page`
  add('list.full-pages', '/items', expected, `${items.length} on page ${page}`)
}

/** @param items of one table, so that an id names one record */
function judgeRepeated({ add, claim, query, amidWrites = false }: Judging, items: unknown): void {
  if (!Array.isArray(items) || amidWrites || isShortened(query, 'id')) return
  claim('list.pagination-covers')
  const seen = new Map<string, number>()
  for (const [at, record] of items.entries()) {
    if (!isObject(record) || typeof record.id !== 'string') continue
    const before = seen.get(record.id)
    if (before !== undefined) {
      add(
        'list.pagination-covers',
        `/items/${at}/id`,
        'each record once',
        `the record of item ${before} again`,
      )
      return
    }
    seen.set(record.id, at)
  }
}

function judgeEcho(judging: Judging, body: BodyObject): void {
  judgePage(judging, body)
  judgePerPage(judging, body)
}

/** The profile defines the response for a page below 1; the suite tests it. */
function judgePage({ add, claim, claimed, query }: Judging, { page, perPage, totalPages }: BodyObject): void {
  const requested = wholeNumber(parameter(query, 'page'))
  if (!Number.isInteger(page) || requested === undefined || (requested !== 'absent' && requested < 1)) return
  if (requested === 'absent') {
    claim('list.default-page')
    if (page !== 1) add('list.default-page', '/page', '1', `${page}`)
    return
  }
  // How a query asks for a page is left open (4.1): a server may ignore these names. It uses them if it uses the size.
  const isFirst = page === 1 || page === 0
  if (!claimed && isFirst && wholeNumber(parameter(query, 'perPage')) !== perPage) return
  // The document allows a server to return another page beyond the last one.
  const last = Number.isInteger(totalPages) ? (totalPages as number) : 0
  const requirement = requested > last ? 'list.page-past-end' : 'list.page'
  claim(requirement)
  if (page === requested) return
  // Counted from 0, the last page is one less, and the requested page is beyond it.
  const isBeyondFromZero = requested === last && (page === requested - 1 || page === 0)
  if (claimed || !isBeyondFromZero) add(requirement, '/page', `${requested}`, `${page}`)
}

function judgePerPage({ add, claim, query }: Judging, { perPage }: BodyObject): void {
  const requested = wholeNumber(parameter(query, 'perPage'))
  if (!Number.isInteger(perPage) || requested === undefined) return
  if (requested === 'absent' || requested < 1) {
    claim('list.default-per-page')
    if (perPage !== 30) add('list.default-per-page', '/perPage', '30, the default', `${perPage}`)
    return
  }
  claim('list.per-page-cap')
  const expected = Math.min(requested, most)
  if (perPage === expected) return
  add(
    'list.per-page-cap',
    '/perPage',
    requested > most ? `${most}, the maximum` : `${requested}`,
    `${perPage}`,
  )
}

/** `undefined` for anything but a number: then the server rejects the request, or the profile defines the response. */
function wholeNumber(text: string | undefined): number | 'absent' | undefined {
  if (text === undefined) return 'absent'
  return /^(?:0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}
