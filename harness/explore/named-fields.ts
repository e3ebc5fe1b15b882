/**
 * Which fields of a request an error response names. The document does not say what such a response looks like, so the usual
 * forms are read: a key for each field, a list of errors that name their field, and messages. Pure.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { withoutEcho } from '../judging/without-echo.ts'

/** Keys under which an error in a list names its field. */
const places = [
  'field',
  'fieldName',
  'path',
  'loc',
  'param',
  'parameter',
  'property',
  'propertyName',
  'propertyPath',
  'attribute',
  'attrName',
  'pointer',
  'instancePath',
]
/** Keys that name a field if their value looks like a name: other errors have a code, or a whole object, there. */
const placesOfNames = ['key', 'target']
/** The list of invalid parameters in RFC 7807 names each under `name`. */
const namesInList = /^invalid[-_]?params$/i
/** The path of the request, which Spring Boot shows in each rejection. */
const isAddress = /^https?:|^\/api\b|\/collections\//
/** Keys that show that an object is a single error, not an error for each field. */
const partsOfError = ['message', 'msg', 'detail', 'title', 'description', 'reason']
/** The same, with the one of Prisma. */
const partsOfSingle = [...partsOfError, 'modelName']
/** Keys whose lists are about the whole request. */
const isList =
  /^(errors?|messages?|details?|issues|violations|children|(?:non_?)?field_?(?:errors|violations)|validation_?errors|invalid[-_]?params)$/i
/** The name of a field in quotes. */
const quoted = /["'`“‘]([A-Za-z_][\w.-]{0,40})["'`”’]/g
/** The path of a field before or after what is wrong with it: `[body.name] expected string`, `body/name must be string`. */
const paths: readonly RegExp[] = [
  /(?<=^|[;,:\n] ?)\[(?:body|query|params)\.((?:[\w-]+\.)*[A-Za-z_][\w-]{0,40})\] /g,
  /(?<=^|[;,:\n] ?)body[/.]((?:[\w-]+[/.])*[A-Za-z_][\w-]{0,40}) /g,
  /→ at ([A-Za-z_][\w.[\]-]{0,60})/g,
]
/** The name of a field, alone before what is wrong with it: `note.title: must not be blank`. */
const beforeColon =
  /(?<=^|[\n;] {0,4}(?:- )?)((?:[A-Za-z_]\w{0,40}\.){0,8}[A-Za-z_]\w{0,40}): (?=(?:\w{1,40} )?(?:this (?:field|value)|must|should|cannot|can't|may not|is|required|missing)\b)/gi
/** The columns that a database names: none of them is in quotes as a field alone. */
const columns: readonly RegExp[] = [
  /\bconstraint failed: (?:\w+\.)?([A-Za-z_]\w*)/gi,
  /\bcolumn ["'`]([A-Za-z_]\w*)["'`]/gi,
  /\bfield ["'`]([A-Za-z_]\w*)["'`] doesn't have a default value/gi,
]
/** Two to four words that a message begins with: `First name can't be blank`. */
const inWords =
  /(?<=^|[.;,:] )(?:The )?((?!The )[A-Z]?[a-z\d]+(?: [a-z\d]+){1,3}?)(?: field)? (?=(?:can't|cannot|can not|must|should|is|has to|needs to|may not)\b)/g
/** How messages say that a field is wrong or missing: the group is its name. */
const sentences: readonly RegExp[] = [
  /^(?:the )?([A-Za-z_][\w.-]{0,40}) (?:field )?(?:can't|cannot|can not|must|should|has to|needs to|may not|is (?:invalid|too|not))\b/gi,
  /\b([A-Za-z_][\w.-]{0,40}) (?:field )?(?:is|are|was) (?:a )?(?:required|missing|mandatory|empty|blank|not (?:set|given|present))/gi,
  /\b(?:missing|requires?|expected|provide) (?:the )?(?:required )?(?:field|parameter|property|key)?:? ?([A-Za-z_][\w.-]{0,40})/gi,
  /\bfields? (?:is|are) (?:invalid|missing): ([A-Za-z_]\w{0,40})/gi,
]
const isAboutFields =
  /requir|missing|mandator|must|expect|provide|valid|enter |empty|blank|cannot|can't|not (?:set|given|present|found)/i
/** Names of places and types, which are quoted or keys as well. */
const noFields = new Set(
  'array boolean body error errors field header headers json non_field_errors null number object params query request required root schema string undefined'.split(
    ' ',
  ),
)
/** Words that stand in a sentence where the name of a field would, and are not names. */
const noNames = new Set(
  'a an and any argument arguments authentication authorization bad be body content creator credentials data error field fields following form in input invalid is it json key object of or parameter parameters payload please property record request required string that the this undefined null value values we you your'.split(
    ' ',
  ),
)
/** What an error begins with, where another one begins with the name of a field. */
const isAboutRequest =
  /error|exception|fail|valid|warning|message|status|request|rejected|denied|unauthori|forbidden|conflict|not_?found|^(note|hint|info|records?|table|oops|sorry)$/i

/** @param body of an error response, parsed; a string if it is not JSON */
export function namedFields(body: unknown): string[] {
  return [...complaintsIn(body).keys()]
}

/**
 * The same, each with the part of the response that is about it: a message, or the JSON of an error.
 *
 * @param body of an error response, parsed; a string if it is not JSON
 */
export function complaintsIn(body: unknown): Map<string, string> {
  const complaints = new Map<string, string>()
  const add = (name: string, about: unknown) => {
    // A message for the body as a whole is an object, for a field of this name a sentence.
    const isPlace = noFields.has(name.toLowerCase()) && !(name === 'body' && isSentence(about))
    if (name === '' || isPlace) return
    const text = typeof about === 'string' ? about : JSON.stringify(about)
    complaints.set(name, [complaints.get(name), text].filter(Boolean).join(' '))
  }
  const visit = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      const errors = errorsAsText(value)
      if (errors === undefined) for (const name of inMessage(value)) add(name, value)
      else visit(errors, depth + 1)
    }
    if (Array.isArray(value)) for (const each of value) visit(each, depth + 1)
    if (!isObject(value)) return
    const place = placeIn(value)
    if (place !== undefined) add(place, value)
    const isError = place !== undefined || partsOfError.some((part) => typeof value[part] === 'string')
    for (const [key, held] of Object.entries(value)) {
      if (namesInList.test(key) && Array.isArray(held))
        for (const each of held) if (isObject(each)) add(String(each.name ?? ''), each)
      // Of a whole body, only a list of messages is surely about its key.
      const isOfKey = depth > 0 ? !isListOfErrors(key, held) : Array.isArray(held) && !isList.test(key)
      if (isOfKey && !isError && isComplaint(held)) add(lastPart(key), held)
      // The place of an error is not a sentence: it was read above.
      // The rules of class-validator have names, too.
      else if (!places.includes(key) && key !== 'constraints') visit(held, depth + 1)
    }
  }
  visit(withoutEcho(body), 0)
  return complaints
}

/** The field that one error of a list is about: its name, or a path to it. */
function placeIn(error: Record<string, unknown>): string | undefined {
  const isPlace = (value: unknown) =>
    Array.isArray(value) || (typeof value === 'string' && !isAddress.test(value))
  const isName = (value: unknown) => {
    const name = String(Array.isArray(value) ? value[0] : value)
    return /^[A-Za-z_]\w*$/.test(name) && !isAboutRequest.test(name) && !noFields.has(name.toLowerCase())
  }
  const key =
    places.find((each) => isPlace(error[each])) ??
    (partsOfSingle.some((part) => typeof error[part] === 'string')
      ? placesOfNames.find((each) => isPlace(error[each]) && isName(error[each]))
      : undefined)
  if (key === undefined) return keysOf(error)
  const place: unknown = error[key]
  const last: unknown = Array.isArray(place) ? (place.at(-1) ?? '') : place
  return lastPart(String(isObject(last) ? last.key : last))
}

/** hapi: `{ source: 'payload', keys: ['title'] }`. */
function keysOf({ source, keys }: Record<string, unknown>): string | undefined {
  return typeof source === 'string' && Array.isArray(keys) ? lastPart(String(keys[0] ?? '')) : undefined
}

/** A list of errors, and not of messages about a field that has such a name; or an object with such lists. */
function isListOfErrors(key: string, held: unknown): boolean {
  return isList.test(key) && (Array.isArray(held) ? held.some(isObject) : isObject(held))
}

/** `/body/token`, `body.token` and `$.token` name the same field. */
function lastPart(path: string): string {
  return path.split(/[/.[\]"']+/).findLast((part) => part !== '') ?? ''
}

/** What is wrong with a field: a message, several of them, or an object with one. */
function isComplaint(held: unknown): boolean {
  if (typeof held === 'string') return isAboutFields.test(held)
  if (Array.isArray(held)) return held.some(isComplaint)
  if (!isObject(held)) return false
  const isError = [...partsOfError, 'code', 'error'].some((part) => typeof held[part] === 'string')
  return isError || (Array.isArray(held.errors) && isSentence(held.errors))
}

function inMessage(text: string): string[] {
  if (text.length > 1_000) return []
  const inDatabase = columns.flatMap((form) => [...text.matchAll(form)].map(([, name = '']) => name))
  if (inDatabase.length > 0) return inDatabase
  if (!isAboutFields.test(text)) return []
  const message = text.replaceAll(inWords, (whole, phrase: string) => {
    const words = phrase.toLowerCase().split(' ')
    return words.some((word) => noNames.has(word)) ? whole : `"${words.join('_')}" `
  })
  const names = (form: RegExp) => [...message.matchAll(form)].map(([, name = '']) => lastPart(name))
  const inSentences = [beforeColon, ...sentences]
    .flatMap(names)
    .filter((name) => !noNames.has(name.toLowerCase()) && !isAboutRequest.test(name))
  return [...names(quoted), ...paths.flatMap(names), ...inSentences.map(withoutCapital)]
}

/** The message of a ZodError is the JSON of its list of errors. */
function errorsAsText(text: string): unknown[] | undefined {
  if (!/^\[\s*\{/.test(text) || text.length > 10_000) return undefined
  try {
    return JSON.parse(text) as unknown[]
  } catch {
    return undefined
  }
}

function isSentence(held: unknown): boolean {
  return typeof held === 'string' || (Array.isArray(held) && held.every((each) => typeof each === 'string'))
}

/** `Title` at the start of a sentence is `title`; `FirstName` is a name as it is. */
function withoutCapital(name: string): string {
  return /^[A-Z][a-z\d]*$/.test(name) ? name.toLowerCase() : name
}
