/**
 * Reads what a mail of the interface is about: the code of a one-time password, the token of a confirmation link.
 *
 * @module
 */

import type { Mail } from './mail-sink.ts'

export type MailKind = 'verification' | 'password-reset' | 'email-change'

const TOKEN = /[\w-]+\.[\w-]+\.[\w-]+/

/** Markup away, entities of the five predefined characters back. */
function visibleText(html: string): string {
  const entities: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  }
  return html
    .replace(/<style[\s\S]*?<\/style>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity)
}

/**
 * The one-time code: a run of digits that stands alone, `length` of them when known. Links are left out of account,
 * since a host or a port is made of digits too.
 */
export function codeOf(mail: Mail, length?: number): string | undefined {
  const text = `${visibleText(mail.html)}\n${mail.text}`.replace(/\bhttps?:\/\/\S+/g, ' ')
  const digits = length === undefined ? '\\d{4,12}' : `\\d{${length}}`
  return new RegExp(`(?<![\\w.-])${digits}(?![\\w-]|\\.\\d)`).exec(text)?.[0]
}

/** The token of the link that confirms something: after the kind's name in the path, else the first token in any link. */
export function tokenOf(mail: Mail, kind: MailKind): string | undefined {
  const source = `${mail.html}\n${mail.text}`
  const named = new RegExp(`confirm-${kind}[/=?#&\\w]*?(${TOKEN.source})`).exec(source)?.[1]
  if (named) return named
  const links = source.match(/\bhttps?:\/\/[^\s"'<>)]+/g) ?? []
  for (const link of links) {
    const path = link.replace(/^https?:\/\/[^/]+/, '')
    const found = TOKEN.exec(path)?.[0]
    if (found && found.length > 40) return found
  }
  return undefined
}
