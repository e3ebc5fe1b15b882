/** Defects of file, relation and password fields, of what holds for every type, and of modifiers. */

import { on, parsedBody, tamperError, tamperRecord } from './combinators/combinators.ts'
import {
  acceptsField,
  echoes,
  forgets,
  mistakes,
  RECORD_OPERATIONS,
  rewriteParts,
  shows,
  withObject,
} from './combinators/field.ts'
import { fault } from './fault.ts'

fault(
  'stored file names lose the name of the upload',
  { trips: ['file.stored-name'] },
  shows('file', (value) => String(value).replace(/^.*_/, 'file_')),
)
fault(
  'a file name is accepted without an upload',
  { trips: ['file.only-uploads'] },
  acceptsField('files', 'validation_invalid_file'),
)
fault(
  'maxSize of a file field is ignored',
  { trips: ['file.max-size'] },
  acceptsField('image', 'validation_file_size_limit'),
)
fault(
  'any type of file is accepted',
  { trips: ['file.mime-types'] },
  acceptsField('image', 'validation_invalid_mime_type'),
)
fault(
  'maxSelect of a file field is ignored',
  { trips: ['file.too-many'] },
  acceptsField('files', 'validation_too_many_files'),
)
fault(
  'uploads are added to the existing files',
  { trips: ['file.replaces'] },
  rewriteParts('updateRecord', (key) => (key === 'files' ? 'files+' : key)),
)
fault(
  'appended files are prepended',
  { trips: ['file.appends'] },
  rewriteParts('updateRecord', (key) => (key === 'files+' ? '+files' : key)),
)
fault(
  'files cannot be removed',
  { trips: ['file.removes'] },
  forgets('updateRecord', (key) => key === 'files-'),
)

fault(
  'related ids are in reverse order',
  { trips: ['relation.casts', 'modifier.append'] },
  shows('relations', (value) => [...(value as string[])].reverse()),
)
fault(
  'ids of missing records can be related',
  { trips: ['relation.unknown-record'] },
  acceptsField('relation', 'validation_missing_rel_records'),
)
fault(
  'minSelect of a relation field is ignored',
  { trips: ['relation.min-select'] },
  acceptsField('pair', 'validation_not_enough_values'),
)
fault(
  'maxSelect of a relation field is ignored',
  { trips: ['relation.too-many'] },
  acceptsField('pair', 'validation_too_many_values'),
)

fault('a create shows the password', { trips: ['password.never-shown'] }, echoes('password'))
fault(
  'password hashes are shown',
  { trips: ['password.never-shown'] },
  tamperRecord('listRecords', (record) =>
    'password' in record ? { ...record, password: '$2a$10$abcdefghijklmnopqrstuv' } : record,
  ),
)
fault(
  'min of a password field is ignored',
  { trips: ['password.min', 'field.all-failures'] },
  acceptsField('pin', 'validation_min_text_constraint'),
)
fault(
  'max of a password field is ignored',
  { trips: ['password.max'] },
  acceptsField('pin', 'validation_max_text_constraint'),
)
fault(
  'pattern of a password field is ignored',
  { trips: ['password.pattern'] },
  acceptsField('pin', 'validation_invalid_format'),
)

fault(
  'empty strings are read as null',
  { trips: ['field.zero-values', 'field.null-is-zero'] },
  shows('text', (value) => (value === '' ? null : value)),
)
fault(
  'null is read as not sent',
  { trips: ['field.null-is-zero'] },
  forgets('updateRecord', (_key, value) => value === null),
)
fault(
  'only the first invalid field is reported',
  { trips: ['field.required-absent', 'field.all-failures'] },
  tamperError('createRecord', ({ data, ...rest }) => ({
    ...rest,
    data: Object.fromEntries(Object.entries(data as object).slice(0, 1)),
  })),
)
fault(
  'false is accepted by a required bool',
  { trips: ['field.required-zero'] },
  acceptsField('bool', 'validation_required'),
)
fault(
  'required fields can be emptied by an update',
  { trips: ['field.whole-record'] },
  acceptsField('number', 'validation_required', 'updateRecord'),
)

fault(
  'number+ sets the number',
  { trips: ['modifier.number', 'modifier.shorter-first'] },
  mistakes('number+', 'number'),
)
fault('selects+ replaces the list', { trips: ['modifier.append'] }, mistakes('selects+', 'selects'))
fault('+selects appends', { trips: ['modifier.prepend'] }, mistakes('+selects', 'selects+'))
fault(
  'selects- does nothing',
  { trips: ['modifier.remove'] },
  forgets('updateRecord', (key) => key === 'selects-'),
)
fault('+select always sets', { trips: ['modifier.single'] }, mistakes('+select', 'select'))
fault(
  'modifiers work in updates only',
  { trips: ['modifier.on-create'] },
  forgets('createRecord', (key) => /[+-]$/.test(key)),
)
fault('text+ sets the text', { trips: ['modifier.unknown'] }, mistakes('text+', 'text'))
fault(
  'numbers are rounded to integers',
  { trips: ['number.casts', 'modifier.number', 'geo.casts', 'field-types.keep-values'] },
  tamperRecord(RECORD_OPERATIONS, ({ number, geo, ...rest }) => ({
    ...rest,
    ...(typeof number === 'number' && { number: Math.round(number) }),
    ...(geo !== undefined && {
      geo: { lon: Math.round((geo as { lon: number }).lon), lat: Math.round((geo as { lat: number }).lat) },
    }),
  })),
)
fault(
  'an update that empties the files of one field empties those of the other',
  { trips: ['field-types.keep-values'] },
  on('updateRecord', async (request, next) => {
    const sent = await parsedBody(request.clone())
    return next(sent?.file === '' ? withObject(request, { ...sent, files: [] }) : request)
  }),
)
