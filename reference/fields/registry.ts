import type { FieldDefinition, FieldType } from '../../spec/table-definition.ts'
import type { Field } from '../vocabulary.ts'
import { autodateKind } from './autodate.ts'
import { boolKind } from './bool.ts'
import { dateKind } from './date.ts'
import { editorKind } from './editor.ts'
import { emailKind } from './email.ts'
import { fileKind } from './file.ts'
import { geoPointKind } from './geo-point.ts'
import { jsonKind } from './json.ts'
import type { BoundField, FieldKind } from './kind.ts'
import { numberKind } from './number.ts'
import { passwordKind } from './password.ts'
import { relationKind } from './relation.ts'
import { selectKind } from './select.ts'
import { textKind } from './text.ts'
import { urlKind } from './url.ts'

type KindOf<T extends FieldType> = FieldKind<Extract<FieldDefinition, { type: T }>>

/** Exactly the field types of the document (section 2.3). */
export const fieldKinds: { readonly [T in FieldType]: KindOf<T> } = {
  text: textKind,
  number: numberKind,
  bool: boolKind,
  email: emailKind,
  url: urlKind,
  editor: editorKind,
  date: dateKind,
  autodate: autodateKind,
  select: selectKind,
  json: jsonKind,
  file: fileKind,
  relation: relationKind,
  password: passwordKind,
  geoPoint: geoPointKind,
}

/** The kind for a definition of any type: the table above pairs them, which the type checker cannot follow. */
export function fieldKind(type: FieldType): FieldKind {
  return fieldKinds[type] as unknown as FieldKind
}

const bound = new WeakMap<Field, BoundField>()

/** What can be done with the values of a field. Compiled once per field. */
export function kindOf(field: Field): BoundField {
  const known = bound.get(field)
  if (known) return known
  const made = fieldKind(field.type).bind(field)
  bound.set(field, made)
  return made
}
