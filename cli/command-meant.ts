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

/**
 * The message of the parser in the form of our own errors: the fact with the option that was meant, and the place. The
 * value of a header can be a secret, and so can that of an option that no one knows: they are left out.
 */
export function usageError(message: string): string {
  const text = message
    .trim()
    .replace(/^error: /, '')
    .replace(/^(unknown option '--[\w-]+)=.*'/s, "$1'")
  const [, option = '', value = '', fact] =
    /^option '[^']*(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)$/s.exec(text) ?? []
  if (fact !== undefined) {
    const said = fact.startsWith('must ') ? `${option} ${fact}` : `${option}: ${fact}`
    return `${said}\n  at    ${option} ${option === '--header' ? '…' : value}\n`
  }
  const [, unknown = ''] = /^unknown option '(--[\w-]+)/.exec(text) ?? []
  const meant = optionMeant[unknown]
  const said = text.replace(/\n\((Did you mean .*)\)$/, '. $1')
  return said === text && meant !== undefined ? `${text}. Did you mean ${meant}?\n` : `${said}\n`
}
