/**
 * Strings that people write. Even where the value of a secret would be, they are often not secrets.
 *
 * @module
 */

/** Letters alone, as people write them: a server that makes up secrets uses longer or other strings. */
const words = /^\p{L}{1,20}(?:[ ,.;:!?'’()]{1,2}\p{L}{1,20})*[.!?]?$/u
const complaint =
  /^(?=.*\p{L}{2})(?:\p{L}{1,20}|\d{1,4})(?:[ ,.;:!?'’()_/-]{1,2}(?:\p{L}{1,20}|\d{1,4}))*[.!?]?$/u
/** Maximum length in characters of what is examined. */
const longest = 200

export function isOrdinaryWords(text: string): boolean {
  return text.length <= longest && words.test(text)
}

/** Whether it may say what is wrong with a value, in words or as a code: `must have 8 characters`, `min_length`. */
export function isComplaint(text: string): boolean {
  return text.length <= longest && complaint.test(text)
}
