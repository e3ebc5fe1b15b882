/**
 * One finding of the HTML report: a line that opens to its details.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import { countOf } from '../../spec/count-of.ts'
import type { Fact, ReportEntry } from './entry.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Sent by a server, it could end the input.
  '\0': '\u{FFFD}',
}

/** Text inside elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\0]/g, (sign) => entities[sign] ?? sign)
}

/** @param open whether it is shown opened */
export function findingHtml(entry: ReportEntry, open: boolean): string {
  const { name, status = '', place = '' } = entry
  return `<details class="finding ${status}" id="${escapeHtml(name)}"${open ? ' open' : ''}>
<summary><span class="status ${status}">${status}</span> <code>${escapeHtml(name)}</code> <small>${escapeHtml(place)}</small>
<span class="fact">${escapeHtml(entry.message)}</span>${differenceHtml(entry)}</summary>
<div class="body">
${bodyHtml(entry)}
</div>
</details>`
}

/** Expected and received in one line, and the request: enough to know what is wrong without a click. */
function differenceHtml({ difference, request }: ReportEntry): string {
  const parts = [difference, request ?? ''].filter((part) => part !== '')
  return parts.map((part) => `<span class="difference">${escapeHtml(part)}</span>`).join('')
}

function bodyHtml(entry: ReportEntry): string {
  const { statement = '', facts, follows, curl, replay, exchanges, finding, about } = entry
  const parts = [
    statement === '' ? '' : `<p class="statement">${escapeHtml(statement)}${aboutHtml(about)}</p>`,
    ...facts.map(factHtml),
    requestsHtml(curl, replay),
    exchanges.length > 0
      ? `<details class="exchanges"><summary>${countOf(exchanges.length, 'exchange')} recorded</summary>${exchanges.map(exchangeHtml).join('')}</details>`
      : '',
    followsHtml(follows),
    finding === undefined
      ? ''
      : `<p class="cost">${countOf(finding.requests, 'request')}, ${finding.ms} ms</p>`,
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** A link to the page that states the requirement. */
function aboutHtml(about: string | undefined): string {
  return about === undefined ? '' : ` <a href="${escapeHtml(about)}">About this requirement</a>`
}

function followsHtml(follows: readonly string[]): string {
  if (follows.length === 0) return ''
  const what = `${countOf(follows.length, 'requirement')} could not be checked because of this failure`
  return `<details class="follows"><summary>${what}</summary><ul>${follows.map((id) => `<li>${idLink(id)}</li>`).join('')}</ul></details>`
}

/** A link to where the page shows the finding. */
export function idLink(id: string): string {
  return `<a href="#${encodeURIComponent(id)}"><code>${escapeHtml(id)}</code></a>`
}

export function factHtml({ label, text, verbatim }: Fact): string {
  if (verbatim) return block(label, text)
  return `<p>${label === '' ? '' : `${label.slice(0, 1).toUpperCase()}${label.slice(1)}: `}${escapeHtml(text)}</p>`
}

/** What is needed to reproduce it. */
export function requestsHtml(curl: readonly string[], replay: string | undefined): string {
  return [
    curl.length > 0 ? block('requests', curl.join('\n')) : '',
    replay === undefined ? '' : block('replay', replay),
  ].join('')
}

/** A preformatted text under a title. */
function block(title: string, text: string): string {
  return `<figure><figcaption>${title}</figcaption><pre tabindex="0">${escapeHtml(text)}</pre></figure>`
}

function exchangeHtml({ number, actor, request, response, ms }: Exchange): string {
  const received =
    response === undefined
      ? 'no response'
      : `${response.status}\n${headerLines(response.headers)}\n\n${response.body}`
  return `<h4>${number}. ${escapeHtml(actor)}, ${ms} ms</h4>
${block('request', `${request.method} ${request.url}\n${headerLines(request.headers)}\n\n${request.body}`)}
${block('response', received)}`
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
