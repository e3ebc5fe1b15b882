/**
 * One finding of the HTML report: a line to open, behind it all that it shows.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Fact, ReportEntry } from './entry.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Would end the input where a server sent it.
  '\0': '\u{FFFD}',
}

/** Text inside elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\0]/g, (sign) => entities[sign] ?? sign)
}

export function findingHtml(entry: ReportEntry): string {
  const { name, status, place = '', statement = '', finding } = entry
  const isKnown = finding?.known !== undefined
  const open = status === 'fail' && !isKnown ? ' open' : ''
  const mark = isKnown ? `${status}, known` : status
  return `<details id="${escapeHtml(name)}" data-status="${status}"${open}>
<summary><span class="status ${status}">${mark}</span> <code>${escapeHtml(name)}</code> <small>${escapeHtml(place)}</small></summary>
<p>${escapeHtml(statement)}</p>
${body(entry)}
</details>`
}

function body({ message, facts, curl, replay, exchanges, finding }: ReportEntry): string {
  const parts = [
    message === '' ? '' : `<p class="fact">${escapeHtml(message)}</p>`,
    ...facts.map(factHtml),
    requestsHtml(curl, replay),
    exchanges.length > 0
      ? `<details class="exchanges"><summary>${counted(exchanges.length, 'exchange')} recorded</summary>${exchanges.map(exchangeHtml).join('')}</details>`
      : '',
    finding === undefined
      ? ''
      : `<p class="cost">${counted(finding.requests, 'request')}, ${finding.ms} ms</p>`,
  ]
  return parts.filter((part) => part !== '').join('\n')
}

export function factHtml({ label, text, verbatim }: Fact): string {
  if (verbatim) return block(label, text)
  return `<p>${label.slice(0, 1).toUpperCase()}${label.slice(1)}: ${escapeHtml(text)}</p>`
}

/** What is needed to see it again. */
export function requestsHtml(curl: readonly string[], replay: string | undefined): string {
  return [
    curl.length > 0 ? block('requests', curl.join('\n')) : '',
    replay === undefined ? '' : block('replay', replay),
  ].join('')
}

/** A text under its title, as it is. */
function block(title: string, text: string): string {
  return `<figure><figcaption>${title}</figcaption><pre tabindex="0">${escapeHtml(text)}</pre></figure>`
}

function exchangeHtml({ number, actor, request, response, ms }: Exchange): string {
  const answer =
    response === undefined
      ? 'no response'
      : `${response.status}\n${headerLines(response.headers)}\n\n${response.body}`
  return `<h4>${number}. ${escapeHtml(actor)}, ${ms} ms</h4>
${block('request', `${request.method} ${request.url}\n${headerLines(request.headers)}\n\n${request.body}`)}
${block('response', answer)}`
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
