/** Text, email, url and editor fields: what they take, and in which form they keep and show it. */

import { all } from '../faults/combinators/combinators.ts'
import { rejects, WRITES } from '../faults/combinators/field.ts'
import { keepsAs, keepsStrings, STRINGS, showsAll, showsAs } from './combinators/responses.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('texts')

const strings = [
  'create.persists',
  'update.applies',
  'field-types.keep-values',
  'update.changes-only-sent',
] as const
const values = ['field-types.keep-values', 'update.changes-only-sent'] as const
const shown = ['field-types.all', ...values] as const
const because = 'fields.types'

const isText = (value: unknown): value is string => typeof value === 'string'

variation(
  'strings are stored composed (NFC)',
  { because, near: strings },
  keepsStrings((text) => text.normalize('NFC')),
)
variation(
  'strings are stored decomposed (NFD)',
  { because, near: strings },
  keepsStrings((text) => text.normalize('NFD')),
)
variation(
  'an empty string is rejected',
  { because, near: strings },
  rejects(WRITES, (body) => STRINGS.some((field) => body[field] === '')),
)
variation(
  'an empty string is shown as null',
  { because, near: strings },
  all(...STRINGS.map((field) => showsAs(field, (value) => (value === '' ? null : value)))),
)
variation(
  'strings that are values of other types are rejected',
  { because, near: strings },
  rejects(WRITES, (body) =>
    STRINGS.some((field) => /^(?:true|false|null|0)$/.test(String(body[field] ?? ''))),
  ),
)
variation(
  'strings are trimmed',
  { because, near: strings },
  keepsStrings((text) => text.trim()),
)
variation(
  'runs of spaces become one space',
  { because, near: strings },
  keepsStrings((text) => text.replace(/\s+/g, ' ')),
)
for (const [words, end] of [
  ['a line feed', '\n'],
  ['a carriage return and a line feed', '\r\n'],
] as const)
  variation(
    `lines of a string are stored with ${words}`,
    { because, near: strings },
    keepsStrings((text) => text.replace(/\r\n|[\r\n]/g, end)),
  )
variation(
  'strings of several lines are rejected',
  { because, near: strings },
  rejects(WRITES, (body) => STRINGS.some((field) => /[\r\n]/.test(String(body[field] ?? ''))), 422),
)
for (const [words, instead] of [
  ['dropped', ''],
  ['shown as another one', '\ufffd'],
] as const)
  variation(
    `a character 0 is ${words}`,
    { because, near: values },
    keepsStrings((text) => text.replaceAll('\0', instead)),
  )
variation(
  'a string with a character 0 is rejected',
  { because, near: values },
  rejects(WRITES, (body) => STRINGS.some((field) => String(body[field] ?? '').includes('\0')), 422),
)
variation(
  'only ASCII is accepted',
  { because, near: strings },
  rejects(WRITES, (body) => STRINGS.some((field) => /[^ -~]/.test(String(body[field] ?? ''))), 422),
)
variation(
  'characters outside the BMP are rejected',
  { because, near: strings },
  rejects(WRITES, (body) =>
    STRINGS.some((field) => /[\u{10000}-\u{10ffff}]/u.test(String(body[field] ?? ''))),
  ),
)
variation(
  'characters of markup in strings are rejected',
  { because, near: strings },
  rejects(WRITES, (body) => STRINGS.some((field) => /[<>&"'{}[\]]/.test(String(body[field] ?? ''))), 422),
)
variation(
  'strings of more than 25 characters are rejected',
  { because, near: strings },
  rejects(WRITES, (body) => STRINGS.some((field) => String(body[field] ?? '').length > 25), 413),
)
variation(
  'an empty text field is shown as null',
  { because, near: shown },
  showsAll((value, field) => (value === '' && STRINGS.includes(field) ? null : value)),
)
variation(
  'every empty string is shown as null',
  { because, near: [...shown, 'relation.single-id'] },
  showsAll((value) => (value === '' ? null : value)),
)
variation(
  'empty strings are omitted',
  { because, near: [...shown, 'relation.single-id'] },
  showsAll((value) => (value === '' ? undefined : value)),
)
variation(
  'empty strings and lists are omitted',
  { because, near: shown },
  showsAll((value) => (value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value)),
)
variation(
  'fields without a value are null',
  { because, near: shown },
  showsAll((value) => (value === '' || (Array.isArray(value) && value.length === 0) ? null : value)),
)

variation(
  'addresses are shown in upper case',
  { because, near: values },
  showsAs('email', (value) => String(value).toUpperCase()),
)
variation(
  'the host of an address is shown in upper case',
  { because, near: values },
  showsAs('email', (value) => String(value).replace(/@.*/, (host) => host.toUpperCase())),
)
variation(
  'an unset address is null',
  { because, near: shown },
  showsAs('email', (value) => value || null),
)
variation(
  'the host of a URL is shown in upper case',
  { because, near: values },
  showsAs('url', (value) => String(value).replace(/^https:\/\/[^/]*/, (start) => start.toUpperCase())),
)
variation(
  'the port of a URL is shown',
  { because, near: values },
  showsAs('url', (value) => String(value).replace(/^(https:\/\/[^/]+)/, '$1:443')),
)
variation(
  'an unset URL is omitted',
  { because, near: shown },
  showsAs('url', (value) => value || undefined),
)

const editor = (change: (html: string) => string) =>
  showsAs('editor', (value) => (isText(value) ? change(value) : value))
variation(
  'HTML is shown with other tags',
  { because, near: values },
  editor((html) => html.replaceAll('b>', 'strong>')),
)
variation(
  'HTML is shown with an end of line',
  { because, near: values },
  editor((html) => `${html}\n`),
)
variation(
  'HTML is wrapped in a block',
  { because, near: values },
  editor((html) => `<div class="content">${html}</div>`),
)
variation(
  'HTML loses its markup',
  { because, near: values },
  editor((html) => html.replace(/<[^>]*>/g, '')),
)
variation(
  'HTML is shown with numeric entities',
  { because, near: values },
  editor((html) => html.replaceAll('&amp;', '&#38;').replaceAll('-', '&#x2d;')),
)
variation(
  'HTML is shown with breaking lines and nonbreaking spaces',
  { because, near: values },
  editor((html) => html.replaceAll(' ', '&nbsp;').replaceAll('</p>', '</p>\n')),
)
variation(
  'HTML is rejected',
  { because, near: values },
  rejects(WRITES, (body) => /</.test(String(body.editor ?? ''))),
)
variation(
  'strings are trimmed, composed and null where empty',
  { because, near: strings },
  all(
    keepsStrings((text) => text.normalize('NFC').trim()),
    showsAll((value) => (value === '' ? null : value)),
    keepsAs((value) => value),
  ),
)
