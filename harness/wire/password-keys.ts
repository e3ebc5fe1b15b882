import type { Binding } from '../../spec/vocabulary.ts'

/**
 * A password as the body of a sign-up or a change contains it, under the target's names. An empty name represents a
 * key that the target does not have: not every server wants the password twice.
 *
 * @param old the password before, where its owner has to know it
 */
export function passwordKeys(binding: Binding, password: string, old?: string): Record<string, string> {
  const keys: [string, string | undefined][] = [
    [binding['signUp.password'] ?? 'password', password],
    [binding['signUp.passwordConfirm'] ?? 'passwordConfirm', password],
    [binding['signUp.oldPassword'] ?? 'oldPassword', old],
  ]
  return Object.fromEntries(
    keys.filter((each): each is [string, string] => each[0] !== '' && each[1] !== undefined),
  )
}
