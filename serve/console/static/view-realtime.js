import { ask, segment } from './api.js'
import { field, fill, h, json, time } from './dom.js'
import { follow } from './live.js'

const mostKept = 200
const signs = { create: '+', update: '~', delete: '−' }

/** Changes of records as a subscribed application receives them. They are heard while the page is open. */
export async function realtimeView({ page }) {
  let events = []
  let paused = false
  let left = false
  let source
  let tables = []
  const list = h('ol.changes')
  const state = h('p.soft', { role: 'status' })
  const only = h('select', { onchange: draw })

  function draw() {
    const shown = events.filter(({ table }) => only.value === '' || table === only.value)
    if (shown.length === 0)
      return fill(
        list,
        h(
          'li.empty',
          {},
          events.length === 0
            ? 'No events yet. They appear here as records change.'
            : 'No event of this table.',
        ),
      )
    fill(
      list,
      shown.map(({ element }) => element),
    )
  }

  function add(table, { action, record }) {
    const place = `#/tables/${segment(table)}/${segment(record.id)}`
    const element = h(
      'li.panel',
      {},
      h(
        'div.row.middle.change',
        {},
        h(
          `span.action.${action}`,
          {},
          h('span', { 'aria-hidden': 'true' }, signs[action] ?? '•'),
          ` ${action}`,
        ),
        action === 'delete'
          ? h('span.mono', {}, `${table}/${record.id}`)
          : h('a.mono', { href: place }, `${table}/${record.id}`),
        h('span.soft', {}, time(Date.now())),
      ),
      h('details', {}, h('summary', {}, 'Record'), json(record)),
    )
    events = [{ table, element }, ...events].slice(0, mostKept)
    // Nothing moves under the focus of a reader.
    if (!paused && !list.contains(document.activeElement)) draw()
  }

  async function open() {
    source?.close()
    tables = (await ask('tables')).map(({ name }) => name)
    if (left) return
    const chosen = only.value
    fill(
      only,
      h('option', { value: '' }, 'All tables'),
      tables.map((name) => h('option', { value: name, selected: name === chosen }, name)),
    )
    source = new EventSource('api/realtime')
    for (const name of tables)
      source.addEventListener(`${name}/*`, (message) => add(name, JSON.parse(message.data)))
    source.addEventListener('PB_CONNECT', () => {
      state.textContent = `Connected, subscribed to ${tables.length} tables as a superuser.`
    })
    source.addEventListener('error', () => {
      state.textContent = 'Not connected. Trying again …'
    })
  }

  /** The data was replaced, or tables were added. */
  async function check() {
    const names = (await ask('tables')).map(({ name }) => name)
    // The view may have been left meanwhile.
    if (left) return
    if (source.readyState !== EventSource.OPEN || names.join('\n') !== tables.join('\n')) await open()
  }

  const pause = h('button', { type: 'button', 'aria-pressed': 'false', onclick: toggle }, 'Pause')
  function toggle() {
    paused = !paused
    pause.setAttribute('aria-pressed', String(paused))
    if (!paused) draw()
  }
  function clear() {
    events = []
    draw()
  }

  await open()
  fill(
    page,
    h('h1', {}, 'Realtime'),
    h(
      'p.soft',
      {},
      'Changes of records as they happen: the events of the topic TABLE/* of each table, newest first.',
    ),
    state,
    h('div.row', {}, field('Table', only), pause, h('button', { type: 'button', onclick: clear }, 'Clear')),
    list,
  )
  draw()
  list.addEventListener('focusout', () =>
    setTimeout(() => !paused && !list.contains(document.activeElement) && draw()),
  )
  const unfollow = follow('state', check)
  return () => {
    left = true
    unfollow()
    source.close()
  }
}
