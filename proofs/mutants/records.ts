/** Mistakes in what records keep. */

import { change, mutant } from './mutant.ts'

const resolve = 'reference/fields/resolve-body.ts'
const accepted = ': field.accept(input)\n'
const drops = '    if (drops(field)) continue\n'

mutant(
  'an update adds to a list instead of replacing it',
  ['field-types.keep-values'],
  change(
    resolve,
    accepted,
    ": field.type === 'select' && Array.isArray(values[name]) ? [...new Set([...(values[name] as string[]), ...(field.accept(input) as string[])])] : field.accept(input)\n",
  ),
)
mutant(
  'an update merges a JSON object with the stored one',
  ['field-types.keep-values'],
  change(
    resolve,
    accepted,
    ": field.type === 'json' && stored && typeof values[name] === 'object' && typeof input === 'object' && input !== null && !Array.isArray(input) ? ({ ...(values[name] as object), ...input } as Value) : field.accept(input)\n",
  ),
)
mutant(
  'an update ignores an empty list',
  ['field-types.keep-values'],
  change(
    resolve,
    drops,
    '    if (drops(field) || (stored !== undefined && Array.isArray(input) && input.length === 0)) continue\n',
  ),
)
mutant(
  'an update ignores 0 and false',
  ['update.applies'],
  change(
    resolve,
    drops,
    '    if (drops(field) || (stored !== undefined && (input === 0 || input === false))) continue\n',
  ),
)
mutant(
  'a list of more than three values is cut',
  ['field-types.keep-values'],
  change('reference/fields/list-field.ts', 'multiple ? list :', 'multiple ? list.slice(0, 3) :'),
)
mutant(
  'an update gives a record another identifier',
  ['record.id-stable'],
  change(
    'reference/fields/record-id.ts',
    'return stored.id === id ? undefined : changed',
    'return undefined',
  ),
)
mutant(
  'a client sets when a record was created, to any string',
  ['record.created'],
  change(
    'reference/fields/body-keys.ts',
    "if (field.type === 'autodate') continue",
    "if (field.type === 'autodate' && field.name !== 'created') continue",
  ),
)
mutant(
  'the index of references keeps the former ones',
  ['delete.only-one'],
  change(
    'reference/store/table-data.ts',
    'for (const target of targets(row.values[name])) tree.delete(referenceKey(target, row.rowid))',
    'void tree',
  ),
)
mutant(
  'a delete empties relations to the same identifier in another table',
  ['delete.only-one'],
  change('reference/records/remove-record.ts', 'definition.collectionId !== target.id', 'false'),
)
