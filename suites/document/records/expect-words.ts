import { isRejected } from '../../../harness/judging/expect.ts'
import { isReusable } from '../../../harness/ownership/holds-proof.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { ablest } from '../../shared/auth/ablest.ts'
import { newAccount } from '../../shared/auth/accounts.ts'
import { unlessTooMany } from '../../shared/auth/mailed.ts'
import { createdIn, recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { expectText } from './expect-text.ts'
import { lackingFields } from './unknown-fields.ts'

/** Strings that are also values of another type. Which of them a field takes is left open. */
const WORDS = ['true', 'false', '0', 'null'] as const

/** A text field that is created with such a string has it. Another field says whose the record is. */
export async function expectWordsCreated(context: CheckContext): Promise<void> {
  await expectNamesKept(context)
  if (!context.hasTable('everything')) return
  const { api, table, unique } = context
  const everything = table('everything')
  const lacking = (await unlessPrevented(() => lackingFields(context))) ?? ['text']
  if (['text', 'editor'].some((field) => lacking.includes(field))) return
  for (const word of WORDS) {
    const response = await api.create(everything, { editor: unique('word'), text: word })
    if (isRejected(response)) continue
    const { text } = recordOf(await api.view(everything, await createdIn(context, everything, response)))
    expectText(text, word, `text of a record that is created with the string ${word}`)
  }
}

/** The same for the name of an account, if it has one. Who may view an account is left open. */
async function expectNamesKept(context: CheckContext): Promise<void> {
  if (!context.hasTable('members')) return
  const nameOf = (name: string) =>
    unlessTooMany(
      unlessPrevented(async () => {
        const { table, id } = await newAccount(context, 'members', { name })
        return recordOf(await ablest(context).view(table, id))
      }),
    )
  const ordinary = context.unique('name')
  if ((await nameOf(ordinary))?.name !== ordinary) return
  for (const word of WORDS) {
    const record = await nameOf(word)
    if (record !== undefined)
      expectText(record.name, word, `name of an account that is created with the string ${word}`)
  }
}

/** A title that is updated to such a string becomes it. */
export async function expectWordsApply({ api, make, table, unique }: CheckContext): Promise<void> {
  const plain = table('plain')
  const { id } = await make(plain, { title: unique('word') })
  recordOf(await api.view(plain, id))
  // Without its title, nothing shows whose the record is: a short id may be another record's by then.
  if (isReusable(id)) return
  for (const word of WORDS) {
    if (isRejected(await api.update(plain, id, { title: word }))) continue
    expectText(recordOf(await api.view(plain, id)).title, word, `title after an update to the string ${word}`)
  }
  await api.update(plain, id, { title: unique('word') })
}
