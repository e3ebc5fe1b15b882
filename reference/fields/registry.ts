/**
 * The only place in the reference that lists the field types: all else asks it for the kind of a definition.
 *
 * @module
 */

import type { FieldType } from '../../spec/field-types.ts'
import { autodateKind } from './autodate.ts'
import { boolKind } from './bool.ts'
import { dateKind } from './date.ts'
import { editorKind } from './editor.ts'
import { emailKind } from './email.ts'
import { fileKind } from './file.ts'
import { geoPointKind } from './geo-point.ts'
import { jsonKind } from './json.ts'
import type { FieldKind } from './kind.ts'
import { numberKind } from './number.ts'
import { passwordKind } from './password.ts'
import { relationKind } from './relation.ts'
import { selectKind } from './select.ts'
import { textKind } from './text.ts'
import { urlKind } from './url.ts'

/** Exactly the field types of the document (section 2.3). */
export const fieldKinds: { readonly [T in FieldType]: FieldKind<T> } = {
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

/** The kind for a definition of any type. The compiler cannot tell that `fieldKinds[type]` matches `type`, hence the cast. */
export function fieldKind(type: FieldType): FieldKind {
  return fieldKinds[type] as unknown as FieldKind
}
