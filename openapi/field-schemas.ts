/**
 * What each field type looks like in a description: as a response shows a value, and as a request sends it with
 * the limits of the definition (contract-records 3.1, 3.2). A request's schema also accepts what a response shows: a
 * record that was read can be sent back.
 *
 * @module
 */

import type { Complete } from '../reference/fields/kind.ts'
import type { Field } from '../reference/vocabulary.ts'
import type { FieldType } from '../spec/field-types.ts'
import { anyOfStrings, isPortablePattern, orEmpty } from './patterns.ts'
import type { DescriptionPart, FieldSchemas } from './vocabulary.ts'
import { type Sentence, withSentences } from './with-sentences.ts'

export interface FieldSurroundings {
  /** Name of the table that a relation leads to. */
  target: string
  /** Reference to the options of a select field. */
  options: DescriptionPart
}

type Describe<T extends FieldType> = (definition: Complete<T>, around: FieldSurroundings) => FieldSchemas

const longestText = 5000
const longestPassword = 71
const longestUrl = 2082
const mebibyte = 1024 * 1024

const bytes = (size: number) => `At most ${size} bytes.`
const recordTime: DescriptionPart = { $ref: '#/components/schemas/RecordTime' }
/** The form of `RecordTime`, or nothing. */
const timeOrEmpty: DescriptionPart = {
  type: 'string',
  pattern: '^$|^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
}

const describers: { readonly [T in FieldType]: Describe<T> } = {
  text: ({ required, min, max, pattern, autogeneratePattern }) => ({
    read: { type: 'string' },
    write: stringOf(
      { required: required && autogeneratePattern === '', min, max: max || longestText, pattern },
      autogeneratePattern !== '' && 'Generated for a new record that is sent without it.',
    ),
  }),

  number: ({ required, min, max, onlyInt }) => {
    const number = onlyInt ? { type: 'integer', format: 'int64' } : { type: 'number', format: 'double' }
    return { read: number, write: { ...number, ...range(required, min, max) } }
  },

  bool: ({ required }) => ({
    read: { type: 'boolean' },
    write: required ? { type: 'boolean', const: true } : { type: 'boolean' },
  }),

  email: ({ required, onlyDomains, exceptDomains }) => {
    const domains = onlyDomains?.length ? anyOfStrings(onlyDomains) : undefined
    const pattern = domains === undefined ? '^[^@]+@[^@]+\\.[^@]+$' : `^[^@]+@${domains}$`
    return {
      read: { type: 'string' },
      write: {
        ...stringOf({ required, pattern }),
        ...(exceptDomains?.length ? { not: { pattern: `@${anyOfStrings(exceptDomains)}$` } } : {}),
      },
    }
  },

  url: ({ required, onlyDomains, exceptDomains }) => ({
    read: { type: 'string' },
    write: stringOf(
      { required, max: longestUrl },
      onlyDomains?.length && `The host is one of: ${onlyDomains.join(', ')}.`,
      exceptDomains?.length && `The host is none of: ${exceptDomains.join(', ')}.`,
    ),
  }),

  editor: ({ required, maxSize }) => {
    const html = { type: 'string', contentMediaType: 'text/html' }
    const most = maxSize || 5 * mebibyte
    return { read: html, write: { ...html, ...stringOf({ required, max: most }, bytes(most)) } }
  },

  date: ({ required, min, max }) => ({
    read: required ? recordTime : timeOrEmpty,
    write: stringOf(
      { required },
      'An instant like `2024-02-29 23:59:59.999Z`, or in another usual form such as that of RFC 3339.',
      min !== '' && `Not before ${min}.`,
      max !== '' && `Not after ${max}.`,
    ),
  }),

  autodate: ({ onCreate }) => ({ read: { ...(onCreate ? recordTime : timeOrEmpty), readOnly: true } }),

  // The options are a component: generators would make a new type of each list of options.
  select: ({ required, maxSelect }, { options }) => {
    if (maxSelect > 1) return list(options, { required, maxItems: maxSelect })
    return { read: options, write: options }
  },

  json: ({ required, maxSize }) => ({
    read: {},
    write: {
      ...(required ? { not: { enum: [null, '', [], {}] } } : {}),
      ...notes('Any JSON value.', bytes(maxSize || mebibyte)),
    },
  }),

  file: ({ required, maxSelect, maxSize, mimeTypes }) => {
    const name: DescriptionPart = { type: 'string' }
    const content: DescriptionPart = { type: 'string', contentMediaType: 'application/octet-stream' }
    const limits = notes(
      bytes(maxSize || 5 * mebibyte),
      mimeTypes?.length && `One of the types ${mimeTypes.join(', ')}.`,
    )
    if (maxSelect > 1) {
      const kept = 'Stored names of the files to keep. New files are sent in a form.'
      const { read, write } = list(name, { required, maxItems: maxSelect }, kept)
      return { read, write, form: { type: 'array', items: content, ...limits } }
    }
    const kept = 'The stored name, to keep the file. A new file is sent in a form.'
    return { read: name, write: stringOf({ required }, kept), form: { ...content, ...limits } }
  },

  relation: ({ required, minSelect, maxSelect }, { target }) => {
    if (maxSelect > 1) {
      const ids = `Identifiers of records of \`${target}\`.`
      const { read, write } = list(
        { type: 'string' },
        { required, minItems: minSelect, maxItems: maxSelect },
        ids,
      )
      return { read: { ...read, ...notes(ids) }, write }
    }
    const id = `Identifier of a record of \`${target}\`.`
    return { read: { type: 'string', ...notes(id) }, write: stringOf({ required }, id) }
  },

  password: ({ required, min, max, pattern }) => ({
    read: { type: 'string', const: '', ...notes('Empty, whatever is stored.') },
    write: {
      ...stringOf({ required, min, max: max || longestPassword, pattern }, 'At most 72 bytes.'),
      writeOnly: true,
    },
  }),

  geoPoint: ({ required }) => {
    const point: DescriptionPart = { $ref: '#/components/schemas/GeoPointValue' }
    const nowhere = { properties: { lon: { const: 0 }, lat: { const: 0 } }, required: ['lon', 'lat'] }
    return { read: point, write: required ? { allOf: [point], not: nowhere } : point }
  },
}

export function fieldSchemas({ type, definition }: Field, around: FieldSurroundings): FieldSchemas {
  const describe = describers[type] as Describe<FieldType>
  return describe(definition as never, around)
}

/** What a select field can hold: its options and, for one that need not be set, nothing. */
export function selectOptions({ required, values, maxSelect }: Complete<'select'>): DescriptionPart {
  const empty = maxSelect <= 1 && !required
  return { type: 'string', enum: empty ? [...values, ''] : [...values] }
}

interface StringLimits {
  required: boolean
  /** Characters. */
  min?: number
  max?: number
  /** For RE2. */
  pattern?: string
}

/** A string that keeps the limits, or is empty if that is allowed. */
function stringOf(
  { required, min = 0, max, pattern = '' }: StringLimits,
  ...sentences: readonly Sentence[]
): DescriptionPart {
  const matching = pattern !== '' && isPortablePattern(pattern) ? pattern : undefined
  return {
    type: 'string',
    ...(required ? { minLength: Math.max(1, min) } : {}),
    ...(max !== undefined && { maxLength: max }),
    ...(matching !== undefined && { pattern: required ? matching : orEmpty(matching) }),
    // Not as `anyOf`: generators would make a type of each of the two cases.
    ...(!required && min > 1 ? { not: { minLength: 1, maxLength: min - 1 } } : {}),
    ...notes(
      ...sentences,
      !required && min > 1 && `Empty, or at least ${min} characters.`,
      pattern !== matching && pattern !== '' && `Must match the RE2 pattern \`${pattern}\`.`,
    ),
  }
}

/** Zero means "no number": the limits do not apply to it, and a required number is another. */
function range(required: boolean, min: number | null, max: number | null): DescriptionPart {
  if (required) {
    const without = (min === null || min <= 0) && (max === null || max >= 0)
    return { ...bounds(min, max), ...(without ? { not: { const: 0 } } : {}) }
  }
  if (min !== null && min > 0)
    return {
      ...bounds(0, max),
      not: { exclusiveMinimum: 0, exclusiveMaximum: min },
      ...notes(`0 for no number, otherwise at least ${min}.`),
    }
  if (max !== null && max < 0)
    return {
      ...bounds(min, 0),
      not: { exclusiveMinimum: max, exclusiveMaximum: 0 },
      ...notes(`0 for no number, otherwise at most ${max}.`),
    }
  return bounds(min, max)
}

function bounds(min: number | null, max: number | null): DescriptionPart {
  return { ...(min === null ? {} : { minimum: min }), ...(max === null ? {} : { maximum: max }) }
}

interface ListLimits {
  required: boolean
  minItems?: number
  maxItems: number
}

function list(
  items: DescriptionPart,
  { required, minItems = 0, maxItems }: ListLimits,
  ...sentences: readonly Sentence[]
): { read: DescriptionPart; write: DescriptionPart } {
  const all = { type: 'array', items, maxItems }
  return {
    read: all,
    write: {
      ...all,
      ...(required ? { minItems: Math.max(1, minItems) } : {}),
      ...(!required && minItems > 1 ? { not: { minItems: 1, maxItems: minItems - 1 } } : {}),
      ...notes(...sentences, !required && minItems > 1 && `Empty, or at least ${minItems}.`),
    },
  }
}

/** A description with the sentences that apply. */
function notes(...sentences: readonly Sentence[]): DescriptionPart {
  return withSentences({}, { before: sentences })
}
