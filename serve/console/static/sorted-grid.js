/** Tables that are sorted by the headers of their columns. */

import { grid, h, refill } from './dom.js'

/**
 * @typedef {object} Column
 * @property {string} name shown in its header
 * @property {(item: any) => unknown} cell what it shows
 * @property {(item: any) => string | number} [by] the value that it is sorted by. Absent: it cannot be sorted
 * @property {string} [classes] of its cells, each after a dot
 * @property {boolean} [header] its cells name their rows
 * @property {Node} [head] shown in the header of a column that cannot be sorted, instead of the name
 */

const arrows = { ascending: ' ↑', descending: ' ↓' }

/**
 * The header of a column that is sorted by pressing it.
 *
 * @param classes each after a dot
 * @returns the header, and a function that shows its order: 'ascending', 'descending' or undefined
 */
export function sortHead(name, classes, onclick) {
  const arrow = h('span', { 'aria-hidden': 'true' })
  const element = h(
    `th${classes}`,
    { scope: 'col' },
    h('button.sort', { type: 'button', 'data-keep': `sort ${name}`, onclick }, name, arrow),
  )
  const show = (order) => {
    if (order === undefined) element.removeAttribute('aria-sort')
    else element.setAttribute('aria-sort', order)
    arrow.textContent = arrows[order] ?? ' ↕'
  }
  show()
  return { element, show }
}

/**
 * @param {Column[]} columns
 * @param start name and order of the column that it is sorted by at first; undefined keeps the given order
 * @returns the table, and a function that shows other items. Its second parameter returns the class of a row
 */
export function sortedGrid(caption, columns, start) {
  let [name, order] = start ?? []
  let items = []
  let classOf = () => ''
  const heads = columns.map((column) => {
    const { name: title, head = title, classes = '', by } = column
    if (by === undefined) return { element: h(`th${classes}`, { scope: 'col' }, head) }
    return sortHead(title, classes, () => sortBy(column))
  })
  const element = grid(
    caption,
    heads.map((head) => head.element),
    [],
  )
  const body = element.querySelector('tbody')

  function sortBy(column) {
    order = name === column.name && order === 'ascending' ? 'descending' : 'ascending'
    name = column.name
    show()
  }

  function show() {
    for (const [at, head] of heads.entries()) head.show?.(columns[at].name === name ? order : undefined)
    const column = columns.find((each) => each.name === name)
    const sorted =
      column === undefined ? items : [...items].sort((a, b) => compare(column.by(a), column.by(b)))
    if (column !== undefined && order === 'descending') sorted.reverse()
    refill(body, sorted.map(row))
  }

  const row = (item) =>
    h(
      `tr${classOf(item)}`,
      {},
      columns.map(({ cell, classes = '', header = false }) =>
        h(`${header ? 'th' : 'td'}${classes}`, header ? { scope: 'row' } : {}, cell(item)),
      ),
    )

  return {
    element,
    draw(all, rowClass = () => '') {
      items = all
      classOf = rowClass
      show()
    },
  }
}

function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), undefined, { numeric: true })
}
