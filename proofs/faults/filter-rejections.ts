/** Filters that must be rejected, and what they must not reveal. */

import { all, tamperStatus } from './combinators/combinators.ts'
import { findsNothing, opensQuery, seesPasswords } from './combinators/query.ts'
import { fault } from './fault.ts'

fault(
  'an invalid filter matches nothing',
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
  'AND and OR are accepted as words',
  { trips: ['filter.join-malformed'] },
  findsNothing('filter', / (and|or|AND) /),
)
fault('numbers may have an exponent', { trips: ['filter.number-malformed'] }, findsNothing('filter', /1e3/))
fault(
  'two equals signs are read as one',
  { trips: ['filter.operator-malformed'] },
  findsNothing('filter', / == /),
)
fault('C comments are accepted', { trips: ['filter.comment-other'] }, findsNothing('filter', /\/\*/))
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
  'filters on other tables are rejected with 400',
  { trips: ['filter.restricted'] },
  tamperStatus('listRecords', 403, 400),
)
fault(
  'anyone can filter by other tables',
  { trips: ['filter.restricted'] },
  opensQuery('filter', /@collection|@request/),
)
fault('filters can use hidden fields', { trips: ['filter.hidden-field'] }, opensQuery('filter', /secret/))
fault(
  'filters can use hidden relations',
  { trips: ['filter.hidden-relation'] },
  opensQuery('filter', /hiddenRel/),
)
fault('filters can use closed tables', { trips: ['filter.closed-table'] }, opensQuery('filter', /closed\./))
fault(
  'a filter bypasses the list rule of a related table',
  { trips: ['filter.relation-rule'] },
  opensQuery('filter', /ruled\.title/),
)
fault(
  'a filter by a related id bypasses the list rule of its table',
  { trips: ['filter.relation-rule-id'] },
  opensQuery('filter', /ruled\.id/),
)
fault(
  'a sort bypasses the list rule of a related table',
  { trips: ['sort.relation-rule'] },
  opensQuery('sort', /ruled\./),
)
fault('filters can use private addresses', { trips: ['filter.private-email'] }, opensQuery('filter', /email/))
fault('sorts can use private addresses', { trips: ['sort.private-email'] }, opensQuery('sort', /email/))
fault(
  'filters can use passwords',
  { trips: ['filter.password'] },
  seesPasswords('filter', (items, has) => items.filter(has)),
)
fault(
  'sorts can use passwords',
  { trips: ['sort.password'] },
  seesPasswords('sort', (items, has) => [...items.filter(has), ...items.filter((item) => !has(item))]),
)
fault(
  'sorts can use hidden and closed fields',
  { trips: ['sort.hidden-field', 'sort.closed-table'] },
  all(opensQuery('sort', /secret|hiddenRel/), opensQuery('sort', /closed\./)),
)
