/** Filters that must be rejected, and what they must not reveal. */

import { all, tamperStatus } from './combinators/combinators.ts'
import { findsNothing, opensQuery, seesPasswords } from './combinators/query.ts'
import { fault } from './fault.ts'

fault(
  'a filter that cannot be read finds nothing',
  {
    trips: [
      'filter.text-unterminated',
      'filter.number-malformed',
      'filter.white-space-other',
      'filter.comment-other',
      'filter.blank',
      'filter.operator-malformed',
      'filter.join-malformed',
      'filter.incomplete',
      'filter.group-malformed',
      'filter.modifier-unknown',
      'filter.macro-unknown',
      'filter.function-malformed',
      'filter.back-relation-end',
      'filter.unknown-field',
      'filter.reserved-name',
    ],
  },
  findsNothing('filter', /^/),
)
fault(
  'words join as well as signs',
  { trips: ['filter.join-malformed'] },
  findsNothing('filter', / (and|or|AND) /),
)
fault('numbers may have an exponent', { trips: ['filter.number-malformed'] }, findsNothing('filter', /1e3/))
fault('two equal signs are one', { trips: ['filter.operator-malformed'] }, findsNothing('filter', / == /))
fault('comments may be those of C', { trips: ['filter.comment-other'] }, findsNothing('filter', /\/\*/))
fault('a bare bool is a condition', { trips: ['filter.incomplete'] }, findsNothing('filter', /^!?bool$/))
fault(
  'a path may go through any number of relations',
  { trips: ['filter.relation-depth'] },
  findsNothing('filter', /(parent\.){7}/),
)
fault('a filter may have any length', { trips: ['filter.text-limit'] }, findsNothing('filter', /^.{2500}/s))
fault(
  'a filter may have any number of comparisons',
  { trips: ['filter.comparison-limit'] },
  findsNothing('filter', /(\|\|[^|]*){200}/),
)
fault(
  'other tables are refused with 400',
  { trips: ['filter.restricted'] },
  tamperStatus('listRecords', 403, 400),
)
fault(
  'anybody may refer to other tables',
  { trips: ['filter.restricted'] },
  opensQuery('filter', /@collection|@request/),
)
fault('hidden fields can be asked for', { trips: ['filter.hidden-field'] }, opensQuery('filter', /secret/))
fault(
  'hidden relations can be asked for',
  { trips: ['filter.hidden-relation'] },
  opensQuery('filter', /hiddenRel/),
)
fault('closed tables can be asked for', { trips: ['filter.closed-table'] }, opensQuery('filter', /closed\./))
fault(
  'a filter goes around the list rule of a related table',
  { trips: ['filter.relation-rule'] },
  opensQuery('filter', /ruled\.title/),
)
fault(
  'a related id is found whatever the list rule of its table says',
  { trips: ['filter.relation-rule-id'] },
  opensQuery('filter', /ruled\.id/),
)
fault(
  'an order goes around the list rule of a related table',
  { trips: ['sort.relation-rule'] },
  opensQuery('sort', /ruled\./),
)
fault(
  'private addresses can be asked for',
  { trips: ['filter.private-email'] },
  opensQuery('filter', /email/),
)
fault('private addresses can be sorted by', { trips: ['sort.private-email'] }, opensQuery('sort', /email/))
fault(
  'passwords can be asked for',
  { trips: ['filter.password'] },
  seesPasswords('filter', (items, has) => items.filter(has)),
)
fault(
  'passwords can be sorted by',
  { trips: ['sort.password'] },
  seesPasswords('sort', (items, has) => [...items.filter(has), ...items.filter((item) => !has(item))]),
)
fault(
  'hidden and closed fields can be sorted by',
  { trips: ['sort.hidden-field', 'sort.closed-table'] },
  all(opensQuery('sort', /secret|hiddenRel/), opensQuery('sort', /closed\./)),
)
