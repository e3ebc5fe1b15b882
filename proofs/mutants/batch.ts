/** Mistakes in batches and transactions. */

import { change, mutant } from './mutant.ts'

const batch = 'reference/batch/batch.ts'
const records = 'reference/records'
const tableData = 'reference/store/table-data.ts'

mutant(
  'identifiers of a batch that failed are not rolled back',
  ['batch.all-or-nothing'],
  change(tableData, 'ids: data.ids.clone(),', 'ids: data.ids,'),
)
mutant(
  'a sub-request about an unknown record does not fail its batch',
  ['batch.all-or-nothing'],
  change(
    batch,
    '      throw entryFailed(position, toApiError(error, log))',
    '      if (toApiError(error, log).status === 404) {\n        responses.push({ body: null, status: 404 })\n        continue\n      }\n      throw entryFailed(position, toApiError(error, log))',
  ),
)
mutant(
  'a batch leaves out its sub-requests after the 40th',
  ['batch.succeeds-together'],
  change(
    batch,
    '    if (signal.aborted)',
    '    if (position > 40) {\n      responses.push({ body: null, status: 204 })\n      continue\n    }\n    if (signal.aborted)',
  ),
)
mutant(
  'a batch updates what its caller may not update',
  ['batch.caller-user'],
  change(
    `${records}/update.ts`,
    'if (!passes(rule, stored, scope))',
    "if (context.c !== 'batch' && !passes(rule, stored, scope))",
  ),
)
mutant(
  'a batch deletes what its caller may not delete',
  ['batch.caller-user'],
  change(
    `${records}/delete.ts`,
    'if (!passes(rule, row, scope))',
    "if (context.c !== 'batch' && !passes(rule, row, scope))",
  ),
)
mutant(
  'a key may do anything in a batch',
  ['api-key.batch-scope'],
  change(
    'reference/rules.ts',
    "if (keyCovers(context, table, action)) return ''",
    "if (context.c === 'batch' || keyCovers(context, table, action)) return ''",
  ),
)
mutant(
  'a batch looks for related records in the state before it',
  ['batch.parent-with-children'],
  change(
    `${records}/create.ts`,
    'const errors = validateValues(table, values, { reader: writer,',
    'const errors = validateValues(table, values, { reader: context.services.store.current,',
  ),
)
mutant(
  'unique values of a batch that failed stay taken',
  ['batch.all-or-nothing'],
  change(tableData, 'uniques: data.uniques.map((tree) => tree.clone()),', 'uniques: data.uniques,'),
)
mutant(
  'references of a batch that failed stay',
  ['batch.all-or-nothing'],
  change(tableData, 'references.set(name, tree.clone())', 'references.set(name, tree)'),
)
