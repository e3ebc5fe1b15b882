import { expect, it } from 'vitest'
import type { ReceivedEmail } from '../vocabulary/target.ts'
import { ProofBook, type ReadEmail, type TakenProof } from './proof-book.ts'

function emailOf(subject: string, place: string, word = 'w'): ReadEmail {
  const email: ReceivedEmail = { number: 1, to: ['a'], from: '', subject, text: '', html: '' }
  return { email, candidates: [{ word, place, isClear: true }] }
}

function accepting(read: ReadEmail): ProofBook {
  const book = new ProofBook()
  const proof: TakenProof = {
    ...read,
    kind: 'password-reset',
    word: 'w',
    isGuess: true,
    to: 'a',
    after: 0,
    request: undefined,
  }
  const [candidate] = read.candidates
  if (candidate !== undefined) book.accept(proof, read, candidate, undefined)
  return book
}

it.each<[string, boolean, ReadEmail]>([
  ['of the same kind, with another word', true, emailOf('Reset 12', 'link /reset', 'x')],
  ['with the word elsewhere', false, emailOf('Reset 1', 'link /welcome')],
  ['with another subject', false, emailOf('Welcome', 'link /reset')],
  ['without a word', false, { ...emailOf('Reset 1', 'link /reset'), candidates: [] }],
])('knows emails like one whose proof was accepted: %s is %s', (_, known, read) => {
  const book = accepting(emailOf('Reset 34', 'link /reset'))
  expect(book.isKnown('password-reset', read)).toBe(known)
  expect(book.isKnown('verification', read)).toBe(false)
  expect(new ProofBook().isKnown('password-reset', read)).toBe(false)
})
