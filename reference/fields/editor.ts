/**
 * The field type `editor` (contract-records 3.1 and 3.2).
 *
 * @module
 */

import { toText } from './cast.ts'
import { textColumn } from './columns.ts'
import { fieldError, required } from './field-error.ts'
import type { FieldKind } from './kind.ts'
import { negative } from './option-error.ts'
import { textForm } from './value-form.ts'

const defaultMaxSize = 5 * 1024 * 1024

/** HTML, stored unchanged. `maxSize` counts bytes. */
export const editorKind: FieldKind<'editor'> = {
  defaults: { help: '', required: false, maxSize: 0, convertURLs: false },
  column: textColumn,
  inspect: ({ maxSize }) => negative({ maxSize }),
  bind({ definition }) {
    const maxSize = definition.maxSize || defaultMaxSize
    return {
      zero: '',
      accept: toText,
      modifiers: {},
      check(value) {
        const text = toText(value)
        if (text === '') return definition.required ? required : undefined
        if (Buffer.byteLength(text) <= maxSize) return undefined
        return fieldError(
          'validation_content_size_limit',
          `The maximum allowed content size is ${maxSize} bytes.`,
          { maxSize },
        )
      },
      render: toText,
    }
  },
  room: ({ maxSize }) => maxSize || defaultMaxSize,
  invent({ definition }, { faker }) {
    const limit = definition.maxSize || defaultMaxSize
    const html = `<p>${faker.lorem.sentences(2)}</p>`
    if (html.length <= limit) return html
    return limit > 7 ? `<p>${faker.lorem.sentences(2).slice(0, limit - 7)}</p>` : 'x'.repeat(limit)
  },
  form: textForm,
  infers: () => false,
  control: () => ({ as: 'lines', rows: 3 }),
}
