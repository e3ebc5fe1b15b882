/**
 * The field type `file` (contract-records 3.6). `upload.ts` names the files.
 *
 * @module
 */

import { isBlob } from '../../exchange/is-form.ts'
import type { FieldError } from '../vocabulary.ts'
import { toTextList } from './cast.ts'
import { listColumn } from './columns.ts'
import { fieldError, malformed, notAllowed, required, shortenedValue } from './field-error.ts'
import type { DefinitionProblems, FieldKind } from './kind.ts'
import { listField, stringsOf } from './list-field.ts'
import { negative } from './option-error.ts'
import { sampleFile } from './sample-file.ts'
import { isUpload } from './upload.ts'
import { listForm } from './value-form.ts'

/** Most names in an error: it must not be as large as a body. */
const mostShown = 100
const defaultMaxSize = 5 * 1024 * 1024

/** Stored names of files. A name is either already on the record or of an upload in the request. */
export const fileKind: FieldKind<'file'> = {
  defaults: {
    help: '',
    required: false,
    maxSelect: 0,
    maxSize: 0,
    mimeTypes: null,
    thumbs: null,
    protected: false,
  },
  column: listColumn,
  inspect: ({ maxSelect, maxSize, thumbs }) => ({
    ...negative({ maxSelect, maxSize }),
    ...badThumbs(thumbs),
  }),
  bind(field) {
    const { definition, name } = field
    const maxSelect = Math.max(definition.maxSelect, 1)
    const maxSize = definition.maxSize || defaultMaxSize
    const types = definition.mimeTypes?.length ? definition.mimeTypes : undefined
    return {
      ...listField(field.multiple, readNames),
      check(value, { stored, uploads }) {
        const names = stringsOf(value)
        if (names.length === 0) return definition.required ? required : undefined
        const known = new Set(stringsOf(stored?.[name]))
        const added = names.filter((one) => !known.has(one))
        const unknown = added.filter((one) => !uploads?.has(one))
        if (unknown.length > 0) {
          const shown = unknown.slice(0, mostShown).map(shortenedValue)
          return fieldError('validation_invalid_file', `Invalid new files: [${shown.join(' ')}].`, {
            invalidFiles: shown,
          })
        }
        if (names.length > maxSelect) {
          return fieldError('validation_too_many_files', `The maximum allowed files is ${maxSelect}.`, {
            maxSelect,
          })
        }
        for (const one of added) {
          const upload = uploads?.get(one)
          if (upload && upload.bytes.byteLength > maxSize) return tooLarge(upload.originalName, maxSize)
          if (upload && types && !types.includes(upload.type)) return wrongType(one, types)
        }
        return undefined
      },
    }
  },
  room: ({ maxSelect, maxSize }) => (maxSize || defaultMaxSize) * Math.max(1, maxSelect),
  invent: ({ definition: { mimeTypes, required: mandatory } }, { place }) =>
    mandatory ? sampleFile(mimeTypes ?? [], place) : undefined,
  form: {
    name: 'a File or Blob: new File([bytes], "name.txt")',
    overHttp: 'a file of a form, or the name of a stored file',
    list: true,
    // A file is not an element of a list of strings: it is uploaded.
    fits: (part) => listForm.fits(part) || isBlob(part),
  },
  infers: () => false,
  control: () => ({ as: 'files' }),
}

/** In the list, an upload is represented by its stored name. */
function readNames(input: unknown): string[] {
  if (isUpload(input)) return [input.storedName]
  if (!Array.isArray(input)) return toTextList(input)
  return toTextList(input.map((part) => (isUpload(part) ? part.storedName : part)))
}

function tooLarge(file: string, maxSize: number): FieldError {
  return fieldError(
    'validation_file_size_limit',
    `Failed to upload ${file} - the maximum allowed file size is ${maxSize} bytes.`,
    { file, maxSize },
  )
}

function wrongType(file: string, types: readonly string[]): FieldError {
  return fieldError(
    'validation_invalid_mime_type',
    `"${file}" mime type must be one of: ${types.join(', ')}.`,
  )
}

function badThumbs(thumbs: string[] | null): DefinitionProblems {
  const problems: Record<string, FieldError> = {}
  for (const [at, thumb] of (thumbs ?? []).entries()) {
    if (!/^\d+x\d+[tbf]?$/.test(thumb)) problems[`thumbs.${at}`] = malformed
    else if (/^0x0[tbf]?$/.test(thumb)) problems[`thumbs.${at}`] = notAllowed
  }
  return problems
}
