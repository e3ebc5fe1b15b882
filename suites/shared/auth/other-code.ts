/** Codes that have the form of another code, and are not that code. Pure. */

/** Letters and digits of a code. */
const signs = { all: /[A-Za-z\d]/g, first: /[A-Za-z\d]/, last: /[A-Za-z\d](?=[^A-Za-z\d]*$)/ }

/**
 * A code of the same form that is certainly not the given one.
 *
 * @param which letters and digits differ. @default all
 */
export function otherCode(code: string, which: 'all' | 'first' | 'last' = 'all'): string {
  return code.replace(signs[which], (sign) =>
    /\d/.test(sign)
      ? String((Number(sign) + 1) % 10)
      : /[zZ]/.test(sign)
        ? String.fromCharCode(sign.charCodeAt(0) - 25)
        : String.fromCharCode(sign.charCodeAt(0) + 1),
  )
}

/**
 * The code with one sign more, at its beginning and at its end. The sign is of the kind of its neighbor, and not a zero: a
 * server may remove spaces and marks, and zeros in front.
 */
export function longerCodes(code: string): string[] {
  const more = (neighbor = '') => (/[a-z]/.test(neighbor) ? 'q' : /[A-Z]/.test(neighbor) ? 'Q' : '7')
  return [`${more(code.at(0))}${code}`, `${code}${more(code.at(-1))}`]
}

/** Another way to write the number that a code of digits looks like. Undefined: the code has other signs. */
export function codeAsNumber(code: string): string | undefined {
  return /^\d{2,}$/.test(code) ? `${code[0]}.${code.slice(1)}e${code.length - 1}` : undefined
}

/** Codes of the same form that people and tests choose, and that are not the given one. None where a code has letters. */
export function commonCodes(code: string): string[] {
  if (!/\d/.test(code) || /\p{L}/u.test(code)) return []
  const digits: ((at: number) => number)[] = [() => 0, (at) => (at + 1) % 10, () => 1]
  return digits
    .map((digit) => {
      let at = 0
      return code.replace(/\d/g, () => String(digit(at++)))
    })
    .filter((each) => each !== code)
}
