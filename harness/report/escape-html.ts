/**
 * Text inside HTML elements and quoted attributes.
 *
 * @module
 */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Would end the input where a server sent it.
  '\0': '\u{FFFD}',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\0]/g, (sign) => entities[sign] ?? sign)
}
