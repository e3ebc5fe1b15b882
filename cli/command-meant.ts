/**
 * Commands and options of other tools, with what they are called here.
 *
 * @module
 */

export const commandMeant: Readonly<Record<string, string>> = {
  test: 'run',
  check: 'run',
  verify: 'run',
  start: 'serve',
  mock: 'serve',
  server: 'serve',
  diff: 'compare',
  lint: 'validate',
  show: 'explain',
}

const optionMeant: Readonly<Record<string, string>> = {
  '--url': '--base-url',
  '--server': '--base-url',
  '--host': '--base-url',
  '--endpoint': '--base-url',
  '--filter': '--only',
  '--grep': '--only',
  '--match': '--only',
  '--exclude': '--skip',
  '--reporter': '--report',
  '--output': '--report',
  '--fail-fast': '--bail',
  '--tries': '--runs',
  '--examples': '--runs',
}

/** Of commands without arguments: the option that an argument was probably meant for. */
export const optionOfArgument: Readonly<Record<string, string>> = {
  serve: '--data',
  proxy: '--upstream',
  openapi: '--tables',
  list: '--only',
}

/**
 * The address that a word means: `http://127.0.0.1:8090`, or a host with a port, which browsers take too. Undefined for
 * any other word.
 */
export function addressMeant(word: string | undefined): string | undefined {
  if (word === undefined) return undefined
  if (/^https?:\/\//.test(word)) return word
  return /^(?:localhost|[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\]):\d{1,5}(?:\/\S*)?$/i.test(word)
    ? `http://${word}`
    : undefined
}

/** The message of the parser, with the option that was meant. */
export function withOptionMeant(message: string): string {
  const [, option = ''] = /unknown option '(--[\w-]+)'/.exec(message) ?? []
  const meant = optionMeant[option]
  if (meant === undefined || message.includes('Did you mean')) return message
  return message.replace(/(unknown option '[^']*')\n?/, `$1\n(Did you mean ${meant}?)\n`)
}
