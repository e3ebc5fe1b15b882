/** Chooses records of another table: a search whose results have readable labels (the combobox pattern of WAI-ARIA). */

import { ask, segment } from './api.js'
import { fill, h } from './dom.js'

const mostFound = 20
/** Milliseconds without a key before the request is sent. */
const pause = 150
const searched = new Set(['text', 'email', 'url', 'editor', 'select', 'number'])
/** Names of fields that usually tell people which record it is. */
const telling = ['name', 'title', 'label', 'username', 'email']

/**
 * What people call a record: its presentable fields, a field with a telling name, or its first text.
 *
 * @param table as the console describes it
 */
export function labelOf({ fields }, record) {
  const filled = ({ name }) => typeof record[name] === 'string' && record[name] !== '' && name !== 'id'
  const own = fields.filter((field) => filled(field) && searched.has(field.type))
  const chosen = own.filter(({ presentable }) => presentable)
  if (chosen.length > 0) return chosen.map(({ name }) => record[name]).join(' ')
  const first = telling.find((name) => own.some((field) => field.name === name)) ?? own[0]?.name
  return first === undefined ? record.id : record[first]
}

/** Every word in any of the fields. Characters that the filter language reads in strings separate words. */
function filterOf({ fields }, text) {
  const names = [
    'id',
    ...fields.filter(({ type, name }) => searched.has(type) && name !== 'id').map((one) => one.name),
  ]
  const words = text.split(/[\s"\\%]+/).filter(Boolean)
  return words.map((word) => `(${names.map((name) => `${name} ~ "${word}"`).join(' || ')})`).join(' && ')
}

let next = 1

/** @param value the id, or the ids of a list. @returns {import('./field-control.js').Control} */
export function relationPicker(value, field) {
  const most = Math.max(field.options.maxSelect ?? 1, 1)
  const target = `tables/${segment(field.options.collectionId)}`
  const listId = `found-${next++}`
  const labels = new Map()
  let ids = [value ?? ''].flat().filter(Boolean)
  let found = []
  let active = -1
  let asked = 0
  let timer
  let table

  const list = h('ul.found', {
    id: listId,
    role: 'listbox',
    'aria-label': `Records for ${field.name}`,
    hidden: true,
  })
  const says = h('p.hint', { role: 'status' })
  const chosen = h('ul.chosen', { 'aria-label': `Chosen for ${field.name}` })
  const input = h('input', {
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-autocomplete': 'list',
    'aria-controls': listId,
    'aria-expanded': 'false',
    oninput: () => {
      clearTimeout(timer)
      timer = setTimeout(search, pause)
    },
    onclick: search,
    onblur: close,
    onkeydown: press,
  })

  async function query(parameters) {
    table ??= await ask(target)
    const { items } = await ask(
      `${target}/records?${new URLSearchParams({ skipTotal: '1', ...parameters(table) })}`,
    )
    for (const item of items) labels.set(item.id, labelOf(table, item))
    return items
  }

  async function search() {
    clearTimeout(timer)
    const mine = ++asked
    try {
      const filter = (there) => ({ perPage: String(mostFound), filter: filterOf(there, input.value) })
      const items = await query(filter)
      if (mine !== asked) return
      found = items.map(({ id }) => id).filter((id) => !ids.includes(id))
      active = found.length > 0 ? 0 : -1
      const more = items.length === mostFound ? ' or more' : ''
      says.textContent =
        found.length === 0
          ? 'No other record matches.'
          : `${found.length}${more} found. Choose with the arrow keys and Enter.`
      drawFound()
    } catch (error) {
      if (mine === asked) says.textContent = error.message
    }
  }

  function drawFound() {
    fill(
      list,
      found.map((id, at) =>
        h(
          'li',
          {
            id: `${listId}-${at}`,
            role: 'option',
            'aria-selected': String(at === active),
            // The input keeps the focus.
            onmousedown: (event) => event.preventDefault(),
            onclick: () => choose(id),
          },
          named(id),
        ),
      ),
    )
    list.hidden = found.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    if (active < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${listId}-${active}`)
    list.children[active]?.scrollIntoView({ block: 'nearest' })
  }

  function close() {
    clearTimeout(timer)
    asked += 1
    found = []
    active = -1
    says.textContent = ''
    drawFound()
  }

  function press(event) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (list.hidden) return search()
      active = (active + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length
      drawFound()
    } else if (event.key === 'Enter' && !list.hidden && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      choose(found[active])
    } else if (event.key === 'Escape' && (!list.hidden || input.value !== '')) {
      event.preventDefault()
      input.value = ''
      close()
    }
  }

  function choose(id) {
    ids = most === 1 ? [id] : [...ids, id]
    input.value = ''
    close()
    drawChosen()
  }

  function named(id) {
    const label = labels.get(id) ?? id
    return label === id ? h('code', {}, id) : [h('span.label-text', {}, label), ' ', h('code', {}, id)]
  }

  function drawChosen() {
    fill(
      chosen,
      ids.map((id) =>
        h(
          'li',
          {},
          h('span', {}, named(id)),
          h(
            'button.small',
            {
              type: 'button',
              'aria-label': `Remove ${labels.get(id) ?? id}`,
              onclick() {
                ids = ids.filter((each) => each !== id)
                drawChosen()
                input.focus()
              },
            },
            '✕',
          ),
        ),
      ),
    )
    chosen.hidden = ids.length === 0
  }

  /** A record that is gone, or a table that cannot be read, leaves the ids as they are. */
  async function nameChosen() {
    const filter = ids
      .slice(0, 100)
      .map((id) => `id = "${id.replace(/["\\]/g, '')}"`)
      .join(' || ')
    await query(() => ({ perPage: '100', filter })).catch(() => [])
    drawChosen()
  }

  drawChosen()
  if (ids.length > 0) nameChosen()
  return {
    body: [input, list, says, chosen],
    first: input,
    hint: most === 1 ? 'search a record' : `search records, at most ${most}`,
    read: () => (most === 1 ? (ids[0] ?? '') : [...ids]),
  }
}
