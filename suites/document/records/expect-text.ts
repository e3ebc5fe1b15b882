import { expectEqual } from '../../../harness/judging/expect.ts'
import { sameText } from './same-value.ts'

/** A record shows the text that was sent, in a form that is left open (document, section 2.3). */
export function expectText(shown: unknown, sent: string, what: string): void {
  if (!sameText(shown, sent)) expectEqual(shown, sent, what)
}
