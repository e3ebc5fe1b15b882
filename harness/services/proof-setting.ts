import type { ProofKind } from '../vocabulary/target.ts'

/** What a tester adds to the target so that a run knows which word of an email is its proof. */
export function proofSetting(kind: ProofKind): string {
  const part = kind === 'code' ? 'code' : 'token'
  return `target file: "mail": { "${part}": "<regular expression, its first group is the ${part}>" }, or return "${part}" from the hook "mailbox"`
}
