import { didYouMean, quoted } from '../../spec/nearest.ts'
import type { Scope } from '../query/scope.ts'
import type { Table } from '../vocabulary.ts'

/** Why a name in `expand` leads to no records of the table. */
export function unknownStep(table: Table, name: string, { superuser }: Pick<Scope, 'superuser'>): string {
  const field = table.field(name)
  if (field?.type === 'relation' && field.hidden && !superuser)
    return `expand: ${quoted(name)} of "${table.name}" is hidden from all but superusers.`
  const relations = table.fields.filter(({ type, hidden }) => type === 'relation' && (superuser || !hidden))
  const names = relations.map((relation) => relation.name)
  return `expand: ${quoted(name)} is not a relation of "${table.name}".${didYouMean(name, names)}`
}
