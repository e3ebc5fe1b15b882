/** Values of a record as people read them: labels of what a relation points to, and files to open. */

import { ask, segment } from './api.js'
import { h } from './dom.js'
import { labelOf } from './relation-picker.js'

/**
 * Tables that the relations of a table point to.
 *
 * @returns {Promise<Map<string, object>>} by the name of the field
 */
export async function targetsOf({ fields }) {
  const related = fields.filter(({ type }) => type === 'relation')
  const targets = await Promise.all(
    related.map(({ options }) => ask(`tables/${segment(options.collectionId)}`)),
  )
  return new Map(related.map(({ name }, at) => [name, targets[at]]))
}

/** What a relation points to: its label and its id, which are the same without a label. */
export function relatedTo(record, name, target) {
  const known = [record.expand?.[name] ?? []].flat()
  return [record[name]]
    .flat()
    .filter(Boolean)
    .map((id) => ({ id, label: labelOf(target, known.find((one) => one.id === id) ?? { id }) }))
}

export function isEmpty(value) {
  return value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Links to the records that a relation points to. */
export function relationLinks(record, name, target) {
  return relatedTo(record, name, target).map(({ id, label }, at) => {
    const href = `#/tables/${segment(target.name)}/${segment(id)}`
    if (label === id) return [at > 0 && ', ', h('a.mono', { href }, id)]
    return [at > 0 && ', ', h('a', { href }, label), ' ', h('span.mono.soft', {}, id)]
  })
}

/** Links to files. @param folder with the files of the record */
export function fileLinks(names, { options }, folder) {
  return [names]
    .flat()
    .map((name, at) => [
      at > 0 && ', ',
      h('a', { href: `${folder}/${segment(name)}`, target: '_blank', rel: 'noopener' }, name),
      options.protected && [' ', h('span.badge', {}, 'protected')],
    ])
}
