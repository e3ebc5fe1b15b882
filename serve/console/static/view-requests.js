import { ask } from './api.js'
import { checkbox, field, fill, h, readable, status, time } from './dom.js'
import { follow } from './live.js'
import { sortedGrid } from './sorted-grid.js'

const mostShown = 200
/** As many as the server keeps. */
const mostKept = 500

export async function requestsView({ page }) {
  const table = sortedGrid('Requests', columns, ['Time', 'descending'])
  const empty = h('div')
  const rows = h('div', {}, table.element, empty)
  const missed = h('p.soft', { role: 'status' })
  const kept = new Map()
  let paused = false
  let scheduled = false
  const search = h('input', { type: 'search', oninput: draw })
  const onlyFindings = checkbox('Only with findings', 'findings', false, draw)
  const fresh = new Set()
  // Before the requests are read: otherwise those that come in between are lost.
  const ends = [
    follow('missed', count),
    follow('behind', () => load().then(soon)),
    follow('request', (exchange) => {
      if (!kept.has(exchange.id)) fresh.add(exchange.id)
      kept.set(exchange.id, exchange)
      if (kept.size > mostKept) kept.delete(kept.keys().next().value)
      soon()
    }),
  ]
  await load()

  async function load() {
    const { requests, notRecorded } = await ask('requests')
    const last = requests.at(-1)?.id ?? 0
    const since = [...kept.values()].filter(({ id }) => id > last)
    kept.clear()
    for (const one of [...requests, ...since]) kept.set(one.id, one)
    count(notRecorded)
  }

  function count(notRecorded) {
    missed.textContent = notRecorded === 0 ? '' : `${notRecorded} came too fast to be recorded.`
  }

  function draw() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    const fitting = [...kept.values()].filter(
      (one) =>
        words.every((word) =>
          `${one.method} ${one.path} ${one.caller} ${one.status}`.toLowerCase().includes(word),
        ) &&
        (!onlyFindings.input.checked || hasFindings(one)),
    )
    table.draw(fitting.slice(-mostShown), ({ id }) => (fresh.has(id) ? '.fresh' : ''))
    // The table stays, so that the header that was pressed keeps the focus.
    table.element.hidden = fitting.length === 0
    fill(empty, fitting.length === 0 && nothing(kept.size))
    fresh.clear()
  }

  /** A burst of requests is drawn once, and never while the user moves through the rows by keyboard. */
  function soon() {
    if (paused || scheduled) return
    scheduled = true
    setTimeout(() => {
      scheduled = false
      if (!paused && !rows.querySelector('tbody').contains(document.activeElement)) draw()
    }, 120)
  }

  const pause = h('button', { type: 'button', 'aria-pressed': 'false', onclick: toggle }, 'Pause')
  function toggle() {
    paused = !paused
    pause.setAttribute('aria-pressed', String(paused))
    pause.textContent = paused ? 'Go on' : 'Pause'
    if (!paused) draw()
  }

  fill(
    page,
    h('h1', {}, 'Requests'),
    h(
      'p.soft',
      {},
      'The last 500 requests, live. Each response of an operation is validated against the API description.',
    ),
    h(
      'div.row',
      {},
      h('div.grow', {}, field('Search', search, 'Method, path, caller or status')),
      h(
        'div.row.middle',
        {},
        onlyFindings.label,
        pause,
        h('button', { type: 'button', onclick: clear }, 'Clear'),
      ),
    ),
    missed,
    rows,
  )
  async function clear() {
    await ask('requests', { method: 'DELETE' })
    kept.clear()
    count(0)
    draw()
  }
  draw()
  rows.addEventListener('focusout', soon)
  return () => {
    for (const end of ends) end()
  }
}

const nothing = (all) =>
  h(
    'div.empty',
    {},
    h(
      'p',
      {},
      all === 0 ? 'No requests yet. They appear here as they arrive.' : 'No request matches the search.',
    ),
  )

/** Newest first, unless sorted by another column. */
const columns = [
  { name: 'Time', classes: '.wide.nowrap.soft', by: ({ id }) => id, cell: ({ at }) => time(at) },
  {
    name: 'Request',
    header: true,
    by: ({ method, path }) => `${path} ${method}`,
    cell: ({ id, method, path, reason }) => [
      h('a.mono.path', { href: `#/requests/${id}` }, method, ' ', shortened(readable(path))),
      reason !== undefined && h('div.soft.wide', {}, reason[0]),
    ],
  },
  { name: 'Caller', classes: '.wide', by: ({ caller }) => caller, cell: ({ caller }) => named(caller) },
  { name: 'Status', by: (one) => one.status, cell: (one) => status(one.status) },
  { name: 'ms', classes: '.number.wide', by: ({ duration }) => duration, cell: ({ duration }) => duration },
  { name: 'Interface', by: (one) => finding(one).textContent, cell: finding },
]

/** Why a token does not count is on the page of the request. */
function named(caller) {
  return caller.replace(/ \(.*/s, '')
}

/** The common start of all paths is omitted if there is no room. */
function shortened(path) {
  const [, start, rest] = /^(.*?\/collections)(\/.*)$/s.exec(path) ?? []
  return start === undefined ? path : [h('span.wide', {}, start), rest]
}

/** A response that was changed on demand is not a defect. */
export const hasFindings = ({ findings, fault }) => fault === undefined && findings?.length > 0

/** In words, and not by color alone. */
export function finding({ operation, findings, fault, status }) {
  if (fault !== undefined) return h('span.warn', {}, `planned fault: ${fault}`)
  if (operation === undefined) return h('span.soft', {}, 'no operation')
  if (status === 0) return h('span.soft', {}, 'no response')
  if (findings === undefined) return h('span.soft', {}, '…')
  if (findings.length === 0) return h('span.good', {}, '✓ conforms')
  const worst = findings.some((one) => one.status === 'fail') ? 'bad' : 'warn'
  return h(`span.strong.${worst}`, {}, `✗ ${findings.length} finding${findings.length === 1 ? '' : 's'}`)
}
