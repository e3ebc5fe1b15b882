/** Finds the view for the address, and keeps the frame around it up to date. */

import { ask } from './api.js'
import { append, fill, h } from './dom.js'
import { connect, follow } from './live.js'
import { clockView } from './view-clock.js'
import { confirmView } from './view-confirm.js'
import { editView, newView } from './view-edit.js'
import { keysView } from './view-keys.js'
import { mailView } from './view-mail.js'
import { realtimeView } from './view-realtime.js'
import { recordView } from './view-record.js'
import { requestView } from './view-request.js'
import { hasFindings, requestsView } from './view-requests.js'
import { tableView } from './view-table.js'
import { tablesView } from './view-tables.js'

const parts = [
  ['tables', 'Tables'],
  ['mail', 'Mail'],
  ['requests', 'Requests'],
  ['realtime', 'Realtime'],
  ['keys', 'Keys'],
  ['clock', 'Clock'],
]

/** By the number of segments after the first. A view fills the page, and may return what ends it. */
const views = {
  tables: [tablesView, tableView, recordView],
  new: [undefined, newView],
  edit: [undefined, undefined, editView],
  mail: [mailView, mailView],
  requests: [requestsView, requestView],
  realtime: [realtimeView],
  keys: [keysView],
  clock: [clockView],
  auth: [undefined, undefined, confirmView],
}

/** Pages of a part that are not named after it. */
const partOf = { new: 'tables', edit: 'tables' }

const main = document.getElementById('main')
const nav = document.getElementById('nav')
let leave = () => {}
let shown = 0

function address() {
  const [path = '', query = ''] = location.hash.slice(2).split('?')
  return { segments: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) }
}

function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function show() {
  // A hash without a slash names a part of the document, as the skip link does when it opens in another tab.
  if (location.hash !== '' && !location.hash.startsWith('#/')) history.replaceState(null, '', '#/tables')
  const { segments, query } = address()
  const [topic = 'tables', ...rest] = segments
  const view = views[topic]?.[rest.length]
  leave()
  leave = () => {}
  const mine = ++shown
  lookInside(topic)
  drawNav(topic)
  const page = h('div')
  const current = () => shown === mine
  try {
    if (view === undefined) throw new Error('Page not found.')
    const end = await view({ page, segments: rest, query, current })
    if (!current()) {
      end?.()
      return
    }
    leave = end ?? leave
  } catch (error) {
    if (!current()) return
    fill(page, h('h1', {}, 'Something went wrong'), h('p.error', {}, error.message))
  }
  fill(main, page)
  const title = page.querySelector('h1')
  document.title = `${title?.textContent ?? 'Console'} · ${location.host}`
  if (first) first = false
  else {
    // Screen readers announce the new page, and the view starts at the top.
    title?.setAttribute('tabindex', '-1')
    title?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }
}

let first = true
const counts = { mail: 0, findings: 0 }

function drawNav(topic = address().segments[0] ?? 'tables') {
  const list = h('ul')
  for (const [name, label] of parts) {
    const link = h(
      'a',
      { href: `#/${name}`, 'aria-current': name === (partOf[topic] ?? topic) ? 'page' : undefined },
      label,
    )
    if (name === 'mail' && counts.mail > 0) append(link, [h('span.badge', { title: 'emails' }, counts.mail)])
    if (name === 'requests' && counts.findings > 0)
      append(link, [h('span.badge.bad', { title: 'responses with findings' }, counts.findings)])
    list.append(h('li', {}, link))
  }
  const focused = nav.contains(document.activeElement)
    ? document.activeElement.getAttribute('href')
    : undefined
  fill(nav, list)
  if (focused) nav.querySelector(`a[href="${focused}"]`)?.focus()
}

async function recount() {
  try {
    const [{ mails }, { requests }] = await Promise.all([ask('mail'), ask('requests')])
    counts.mail = mails.length
    counts.findings = requests.filter(hasFindings).length
    drawNav()
  } catch {
    // The state of the link says that the server is gone.
  }
}

function drawLink(there) {
  const state = document.getElementById('link-state')
  state.classList.toggle('lost', !there)
  state.textContent = there ? `live · ${location.host}` : 'The server does not respond. Trying again …'
}

let connected = false

/** A page for a link of an email shows nothing of the server's inside. */
function lookInside(topic) {
  nav.hidden = topic === 'auth'
  if (connected || topic === 'auth') return
  connected = true
  follow('link', drawLink)
  follow('mail', recount)
  follow('request', (exchange) => hasFindings(exchange) && recount())
  connect()
  recount()
}

/** The link would put its own hash in the place of the page's. */
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault()
  main.focus()
})
addEventListener('hashchange', show)
await show()
