/**
 * Composes an email about a record from its template, with the parts that tests look for.
 *
 * @module
 */

import type { Services } from '../../services.ts'
import type { Row, Table } from '../../vocabulary.ts'
import type { SentEmail } from './mailbox.ts'
import { type EmailKind, type Placeholders, renderTemplate } from './template.ts'

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#34;': '"',
  '&#39;': "'",
}

/** The plain text part: without markup, links as `[label](address)`. */
function plainText(html: string): string {
  return html
    .replace(/<a\b[^>]*\bhref="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi, '[$2]($1)')
    .replace(/<br\s*\/?>|<\/p>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|#34|#39);/g, (entity) => entities[entity] ?? entity)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The composed email, not sent yet. */
export function composeEmail(
  { sender, environment }: Services,
  kind: EmailKind,
  table: Table,
  row: Row,
  to: string,
  placeholders: Placeholders,
): SentEmail {
  const { subject, body: html } = renderTemplate(kind, table, row, sender, placeholders)
  const { TOKEN: token, OTP: code } = placeholders
  const link = token && (html.match(/https?:\/\/[^\s"'<>]+/g) ?? []).find((url) => url.includes(token))
  return {
    kind,
    to,
    subject,
    html,
    text: plainText(html),
    sentAt: environment.now(),
    ...(code !== undefined && { code }),
    ...(token !== undefined && { token }),
    ...(link && { link }),
  }
}
