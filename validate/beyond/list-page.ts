/**
 * The numbers of a list response: with each other, and with what was asked.
 *
 * @module
 */

import { type Body, type Judging, parameter } from './judging.ts'

const most = 1000
const truths = ['1', 't', 'T', 'true', 'True', 'TRUE']

export function judgeListPage(judging: Judging, body: Body): void {
  const { add, claim } = judging
  const { perPage, items } = body
  if (Array.isArray(items) && Number.isInteger(perPage)) {
    claim('list.at-most-per-page')
    if (items.length > (perPage as number))
      add('list.at-most-per-page', '/items', `at most ${perPage} records`, `${items.length} records`)
  }
  judgeTotals(judging, body)
  judgeEcho(judging, body)
}

function judgeTotals(
  { add, claim, query }: Judging,
  { page, perPage, totalItems, totalPages, items }: Body,
): void {
  if (!Number.isInteger(totalItems) || !Number.isInteger(totalPages)) return
  const total = totalItems as number
  if (truths.includes(query.get('skipTotal') ?? '')) {
    claim('list.skip-total')
    if (total !== -1) add('list.skip-total', '/totalItems', '-1, because skipTotal was set', `${total}`)
    else if (totalPages !== -1)
      add('list.skip-total', '/totalPages', '-1, because skipTotal was set', `${totalPages}`)
    return
  }
  claim('list.total-items')
  const here = Array.isArray(items) ? items.length : 0
  // A page that holds anything has full ones in front of it.
  const paged = here > 0 && Number.isInteger(page) && Number.isInteger(perPage)
  const least = here + (paged ? Math.max(0, (page as number) - 1) * (perPage as number) : 0)
  if (total < least) {
    add('list.total-items', '/totalItems', `at least the ${least} records up to this page`, `${total}`)
    return
  }
  if (!Number.isInteger(perPage) || (perPage as number) < 1) return
  claim('list.total-pages')
  const pages = Math.ceil(total / (perPage as number))
  if (totalPages !== pages)
    add(
      'list.total-pages',
      '/totalPages',
      `${pages}, for ${total} records at ${perPage} a page`,
      `${totalPages}`,
    )
}

function judgeEcho({ add, claim, query }: Judging, { page, perPage, totalPages }: Body): void {
  const askedPage = wholeNumber(parameter(query, 'page'))
  if (Number.isInteger(page) && askedPage !== undefined) {
    const expected = askedPage === 'absent' ? 1 : askedPage
    // Beyond the last page a server may show another one, as far as the document goes.
    const isBeyond = Number.isInteger(totalPages) && expected > (totalPages as number)
    const requirement =
      askedPage === 'absent' ? 'list.default-page' : isBeyond ? 'list.page-past-end' : 'list.page'
    // A page below 1 is the profile's to answer; the suite asks for that.
    if (expected >= 1) {
      claim(requirement)
      if (page !== expected) add(requirement, '/page', `${expected}`, `${page}`)
    }
  }
  const asked = wholeNumber(parameter(query, 'perPage'))
  if (!Number.isInteger(perPage) || asked === undefined) return
  if (asked === 'absent' || asked < 1) {
    claim('list.default-per-page')
    if (perPage !== 30) add('list.default-per-page', '/perPage', '30, the default', `${perPage}`)
  } else if (asked > most) {
    claim('list.per-page-cap')
    if (perPage !== most) add('list.per-page-cap', '/perPage', `${most}, the maximum`, `${perPage}`)
  } else {
    claim('list.per-page-cap')
    if (perPage !== asked) add('list.per-page-cap', '/perPage', `${asked}`, `${perPage}`)
  }
}

/** `undefined` for what is no number: then the answer is a refusal, or the profile's. */
function wholeNumber(text: string | undefined): number | 'absent' | undefined {
  if (text === undefined) return 'absent'
  const number = Number(text)
  return /^ ?-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : undefined
}
