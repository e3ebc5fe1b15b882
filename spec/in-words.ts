/**
 * A list in a sentence: `list, view and create`.
 *
 * @param last the word before the last item
 */
export function inWords(items: Iterable<string>, last: 'and' | 'or' = 'and'): string {
  return new Intl.ListFormat('en-GB', { type: last === 'or' ? 'disjunction' : 'conjunction' }).format(items)
}
