import { expect, test } from 'vitest'
import { createMailbox, type SentMail } from './mailbox.ts'

const mail = (number: number): SentMail => ({
  kind: 'otp',
  to: `${number}@example.com`,
  subject: '',
  html: '',
  text: '',
  sentAt: 0,
})

test('the outbox keeps the newest mails only', async () => {
  const { outbox, send, waitFor } = createMailbox()
  for (let number = 1; number <= 1500; number++) await send(mail(number))
  expect([outbox.length, outbox[0]?.to, outbox.at(-1)?.to]).toEqual([
    1000,
    '501@example.com',
    '1500@example.com',
  ])
  expect((await waitFor()).to).toBe('1500@example.com')
})
