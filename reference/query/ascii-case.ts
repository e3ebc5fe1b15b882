/** Lower case of A to Z only: other letters stay, as in the living family (contract-records 2.5, 2.8). */
export function lowerAscii(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (run) => run.toLowerCase()) : text
}
