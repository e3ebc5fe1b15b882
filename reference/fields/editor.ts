import type { EditorDefinition } from '../../spec/table-definition.ts'
import { toText } from './cast.ts'
import { fieldError, required } from './field-error.ts'
import type { FieldKind } from './kind.ts'
import { negative } from './option-error.ts'

const defaultMaxSize = 5 * 1024 * 1024

/** HTML, kept as it came. `maxSize` counts bytes. */
export const editorKind: FieldKind<EditorDefinition> = {
  type: 'editor',
  defaults: { help: '', required: false, maxSize: 0, convertURLs: false },
  multiple: () => false,
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
}
