import type { RuleName, Table } from '../vocabulary.ts'

const ruleNames: readonly RuleName[] = [
  'listRule',
  'viewRule',
  'createRule',
  'updateRule',
  'deleteRule',
  'authRule',
  'manageRule',
]

/** The rules of a table that are expressions: the name of each, as in the definition, and its text. */
export function rulesOf(table: Table): (readonly [name: string, text: string])[] {
  const rules = [
    ...ruleNames.map((name) => [name, table.rule(name)] as const),
    ['mfa.rule', table.definition.mfa?.rule ?? null] as const,
  ]
  return rules.flatMap(([name, text]) => (text === null || text === '' ? [] : [[name, text] as const]))
}
