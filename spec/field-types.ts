/**
 * The field types (document, section 2.3): of each the options that a definition can have, the JSON that a record
 * shows, and an example. The suite, the validator and the reference read this table, and none of them reads another's.
 * What a server makes of a value is not said here: the profile states it, the suite checks it, the reference does it.
 *
 * A new type begins here: see "Add a field type" in CONTRIBUTING.md.
 *
 * @module
 */

import { isRecordTime } from './formats.ts'

/** A place on the earth in degrees. */
export interface GeoPoint {
  /** Longitude, -180 to 180. */
  lon: number
  /** Latitude, -90 to 90. */
  lat: number
}

/** Hosts that an address may have, or may not have. */
export interface DomainOptions {
  /** Only these. @default any */
  onlyDomains?: string[] | null
  /** All but these. @default none */
  exceptDomains?: string[] | null
}

/** One value of a type, and its options. */
export interface FieldShape<Value, Options> {
  /** One value, as a record shows it. */
  value: Value
  /** Options of a definition, in addition to the common ones. */
  options: Options
}

/** Of each type: one value as a record shows it, and the options in addition to the common ones. */
export interface FieldShapes {
  /** A string. */
  text: FieldShape<
    string,
    {
      /** Characters, at least. @default 0 */
      min?: number
      /** Characters, at most. @default 5000 */
      max?: number
      /** Regular expression that values have to match. @default any value */
      pattern?: string
      /** Pattern from which a value is made when none is given. @default none */
      autogeneratePattern?: string
      /** Whether this is the field `id`. @default false */
      primaryKey?: boolean
    }
  >
  /** A number. */
  number: FieldShape<
    number,
    {
      /** Least value. @default none */
      min?: number | null
      /** Greatest value. @default none */
      max?: number | null
      /** Whether values have to be whole. @default false */
      onlyInt?: boolean
    }
  >
  /** True or false. */
  bool: FieldShape<boolean, unknown>
  /** An email address. */
  email: FieldShape<string, DomainOptions>
  /** A URL. */
  url: FieldShape<string, DomainOptions>
  /** HTML. */
  editor: FieldShape<
    string,
    {
      /** Bytes, at most. @default 5242880 */
      maxSize?: number
      /** An option of the family's editor. The server does not use it. @default false */
      convertURLs?: boolean
    }
  >
  /** A time. */
  date: FieldShape<
    string,
    {
      /** Earliest time. @default none */
      min?: string
      /** Latest time. @default none */
      max?: string
    }
  >
  /** A time that the server sets. */
  autodate: FieldShape<
    string,
    {
      /** Whether it is set when a record is created. @default false */
      onCreate?: boolean
      /** Whether it is set when a record is changed. @default false */
      onUpdate?: boolean
    }
  >
  /** One or several of given values. */
  select: FieldShape<
    string,
    {
      /** The values to choose from. */
      values: string[]
      /** How many may be chosen; more than 1 makes the value a list. @default 1 */
      maxSelect?: number
    }
  >
  /** Any JSON. */
  json: FieldShape<
    unknown,
    {
      /** Bytes, at most. @default 1048576 */
      maxSize?: number
    }
  >
  /** Names of one or several files. */
  file: FieldShape<
    string,
    {
      /** How many files; more than 1 makes the value a list. @default 1 */
      maxSelect?: number
      /** Bytes of one file, at most. @default 5242880 */
      maxSize?: number
      /** Media types that are accepted. @default any */
      mimeTypes?: string[] | null
      /** Sizes of thumbnails. @default none */
      thumbs?: string[] | null
      /** Whether a file token is needed to read them. @default false */
      protected?: boolean
    }
  >
  /** Ids of one or several records. */
  relation: FieldShape<
    string,
    {
      /** Id of the table that holds them. */
      collectionId: string
      /** Whether a record is deleted together with the one that it refers to. @default false */
      cascadeDelete?: boolean
      /** How many records, at least. @default 0 */
      minSelect?: number
      /** How many records; more than 1 makes the value a list. @default 1 */
      maxSelect?: number
    }
  >
  /** A password. Responses never show it. */
  password: FieldShape<
    string,
    {
      /** Characters, at least. @default 0 */
      min?: number
      /** Characters, at most. @default 71 */
      max?: number
      /** Regular expression that values have to match. @default any value */
      pattern?: string
      /** The log2 of the cost of its hash. @default 10 */
      cost?: number
    }
  >
  /** A place on the earth. */
  geoPoint: FieldShape<GeoPoint, unknown>
}

/** Names of the field types. */
export type FieldType = keyof FieldShapes

/** Options that a field of any type can have. */
export interface CommonFieldOptions {
  /** Stays the same when the field is renamed. @default derived from type and name */
  id?: string
  /** Key of the value in records. */
  name: string
  /** Whether the server itself needs the field. @default false */
  system?: boolean
  /** Whether only superusers see it. @default false */
  hidden?: boolean
  /** An option of the family's console. The server does not use it. @default false */
  presentable?: boolean
  /** Whether a value is needed, which an empty one is not. @default false */
  required?: boolean
  /** A text for people. The server does not use it. @default '' */
  help?: string
}

/** The definition of a field of one type: `DefinitionOf<'select'>`. */
export type DefinitionOf<T extends FieldType> = CommonFieldOptions & {
  /** Name of the type. */
  type: T
} & FieldShapes[T]['options']

/** The same with all lists and objects in it read-only, as an application writes it. */
export type DeepReadonly<T> = T extends (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

/** The form of an option as a JSON Schema. `null` counts as left out. */
export const optionForms = {
  string: { type: ['string', 'null'] },
  number: { type: ['number', 'null'] },
  boolean: { type: ['boolean', 'null'] },
  strings: { type: ['array', 'null'], items: { type: 'string' } },
} as const

type OptionForms = typeof optionForms
type FormOf<V> = V extends string
  ? OptionForms['string']
  : V extends number
    ? OptionForms['number']
    : V extends boolean
      ? OptionForms['boolean']
      : OptionForms['strings']

/** What is known of a value, and of the definition of its field. */
export interface ExpectedForm {
  /** The value was picked by `fields`: keys of it may be missing. */
  isPart: boolean
  /** The bounds and choices of the definition are known as well, not only the type. */
  isExact: boolean
}

/**
 * Requirements about the form of a value. The document defines the form of a string and a boolean (section 2.1), the
 * profile the others.
 */
export const formRequirements = [
  'record.table-fields',
  'number.casts',
  'email.format',
  'url.format',
  'editor.keeps-markup',
  'date.normalises',
  'select.casts',
  'field.zero-values',
  'file.stored-name',
  'relation.casts',
  'password.never-shown',
  'geo.casts',
] as const

/** What has to be known of a field type outside the server that implements it. */
export interface FieldTypeFacts<T extends FieldType = FieldType> {
  /** The first part of the ids of the profile's requirements for this type. */
  readonly topic: string
  /** The requirement that a value of another form violates. */
  readonly form: (typeof formRequirements)[number]
  readonly options: {
    readonly [O in keyof FieldShapes[T]['options']]-?: FormOf<NonNullable<FieldShapes[T]['options'][O]>>
  }
  /**
   * What a record shows instead of `value`, in words; undefined if the value has the form of the type.
   *
   * @param how what is known of the value and of the definition
   */
  expected(value: unknown, field: DeepReadonly<DefinitionOf<T>>, how: ExpectedForm): string | undefined
  /** A value that fits every table of the suites; undefined if it depends on the table, or no body can have one. */
  readonly sample: FieldShapes[T]['value'] | undefined
  /** What a field shows that was never set, if it holds one value. For the suite: the reference has its own. */
  readonly zero: FieldShapes[T]['value'] | null
}

const { string, number, boolean, strings } = optionForms
const domains = { onlyDomains: strings, exceptDomains: strings }

/** All field types, in the order of the document. */
export const fieldTypes: { readonly [T in FieldType]: FieldTypeFacts<T> } = {
  text: {
    topic: 'text',
    form: 'record.table-fields',
    options: { min: number, max: number, pattern: string, autogeneratePattern: string, primaryKey: boolean },
    expected: (value) => (typeof value === 'string' ? undefined : 'text'),
    sample: 'some text',
    zero: '',
  },
  number: {
    topic: 'number',
    form: 'number.casts',
    options: { min: number, max: number, onlyInt: boolean },
    expected(value, { onlyInt }, { isExact }) {
      if (typeof value !== 'number') return 'a number'
      return isExact && onlyInt && !Number.isInteger(value) ? 'an integer' : undefined
    },
    sample: 12.5,
    zero: 0,
  },
  bool: {
    topic: 'bool',
    form: 'record.table-fields',
    options: {},
    expected: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
    sample: true,
    zero: false,
  },
  email: {
    topic: 'email',
    form: 'email.format',
    options: domains,
    expected: (value) => (isEmptyOr(value, /@/) ? undefined : 'an address or ""'),
    sample: 'anna@example.com',
    zero: '',
  },
  url: {
    topic: 'url',
    form: 'url.format',
    options: domains,
    // The profile takes a host without a scheme for a URL.
    expected: (value) => (isEmptyOr(value, /[:.]/) ? undefined : 'a URL or ""'),
    sample: 'https://example.com/a',
    zero: '',
  },
  editor: {
    topic: 'editor',
    form: 'editor.keeps-markup',
    options: { maxSize: number, convertURLs: boolean },
    expected: (value) => (typeof value === 'string' ? undefined : 'text'),
    sample: '<p>text</p>',
    zero: '',
  },
  date: {
    topic: 'date',
    form: 'date.normalises',
    options: { min: string, max: string },
    expected: expectedTime,
    sample: '2024-05-06 07:08:09.123Z',
    zero: '',
  },
  autodate: {
    topic: 'autodate',
    form: 'date.normalises',
    options: { onCreate: boolean, onUpdate: boolean },
    expected: expectedTime,
    sample: undefined,
    zero: '',
  },
  select: {
    topic: 'select',
    form: 'select.casts',
    options: { values: strings, maxSelect: number },
    expected: (value, { values, maxSelect }, { isExact }) =>
      expectedStrings(
        value,
        maxSelect,
        isExact,
        (text) => !isExact || values.includes(text),
        `of ${listed(values)}`,
      ),
    sample: 'b',
    zero: '',
  },
  json: {
    topic: 'json',
    form: 'field.zero-values',
    options: { maxSize: number },
    expected: () => undefined,
    sample: { a: [1, null] },
    zero: null,
  },
  file: {
    topic: 'file',
    form: 'file.stored-name',
    options: { maxSelect: number, maxSize: number, mimeTypes: strings, thumbs: strings, protected: boolean },
    expected: (value, { maxSelect }, { isExact }) =>
      expectedStrings(value, maxSelect, isExact, (text) => text !== '', 'names of files'),
    sample: undefined,
    zero: '',
  },
  relation: {
    topic: 'relation',
    form: 'relation.casts',
    options: { collectionId: string, cascadeDelete: boolean, minSelect: number, maxSelect: number },
    expected: (value, { maxSelect }, { isExact }) =>
      expectedStrings(value, maxSelect, isExact, (text) => text !== '', 'ids of records'),
    sample: undefined,
    zero: '',
  },
  password: {
    topic: 'password',
    form: 'password.never-shown',
    options: { min: number, max: number, pattern: string, cost: number },
    expected: (value) => (value === '' ? undefined : '"", whatever is stored'),
    sample: 'a long enough secret',
    zero: '',
  },
  geoPoint: {
    topic: 'geo',
    form: 'geo.casts',
    options: {},
    expected: (value, _, { isPart }) =>
      isPoint(value, isPart) ? undefined : 'an object with the numbers lon and lat',
    sample: { lon: 12.5, lat: -33 },
    zero: { lon: 0, lat: 0 },
  },
}

/** What is known of a type by its name, which may be none that we know: definitions come from other servers, too. */
export function factsOf(type: string): FieldTypeFacts | undefined {
  // The table pairs types and facts, which the compiler cannot follow.
  return Object.hasOwn(fieldTypes, type)
    ? (fieldTypes[type as FieldType] as unknown as FieldTypeFacts)
    : undefined
}

function isEmptyOr(value: unknown, pattern: RegExp): boolean {
  return value === '' || (typeof value === 'string' && pattern.test(value))
}

function expectedTime(value: unknown): string | undefined {
  return value === '' || (typeof value === 'string' && isRecordTime(value))
    ? undefined
    : 'an instant as YYYY-MM-DD HH:MM:SS.mmmZ, or ""'
}

/** One string where at most one can be chosen, otherwise a list. */
function expectedStrings(
  value: unknown,
  maxSelect: number | undefined,
  isExact: boolean,
  fits: (text: string) => boolean,
  what: string,
): string | undefined {
  const most = maxSelect ?? 1
  if (most <= 1)
    return isText(value, (text) => text === '' || fits(text)) ? undefined : `a string, ${what}, or ""`
  const list = Array.isArray(value) && (!isExact || value.length <= most)
  return list && value.every((each) => isText(each, fits))
    ? undefined
    : `an array of at most ${most}, ${what}`
}

function isText(value: unknown, fits: (text: string) => boolean): boolean {
  return typeof value === 'string' && fits(value)
}

function isPoint(value: unknown, part: boolean): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { lon, lat } = value as Partial<Record<keyof GeoPoint, unknown>>
  return [lon, lat].every((each) => typeof each === 'number' || (part && each === undefined))
}

function listed(values: readonly string[]): string {
  return values.length > 8 ? `a list of ${values.length}` : JSON.stringify(values)
}
