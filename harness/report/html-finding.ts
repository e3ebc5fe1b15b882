/**
 * One finding of the HTML report: a line to open, behind it all that it shows.
 *
 * @module
 */

import type { Exchange } from '../../exchange/exchange.ts'
import type { Finding } from '../vocabulary/findings.ts'
import { escapeHtml } from './escape-html.ts'
import { examplesText, noteOf, placeOf } from './evidence.ts'

export function findingHtml(finding: Finding): string {
  const { requirement, level, status, known, statement } = finding
  const open = status === 'fail' && known === undefined ? ' open' : ''
  const note = noteOf(finding)
  const mark = known === undefined ? status : `${status}, known`
  return `<details id="${escapeHtml(requirement)}" data-status="${status}"${open}>
<summary><span class="status ${status}">${mark}</span> <code>${escapeHtml(requirement)}</code> <small>${level}, ${escapeHtml(placeOf(finding))}</small></summary>
<p>${escapeHtml(statement)}</p>${note === undefined ? '' : `\n<p>Note: ${escapeHtml(note)}</p>`}
${body(finding)}
</details>`
}

function body({
  message,
  hint,
  expected,
  received,
  known,
  curl,
  exchanges,
  replay,
  requests,
  ms,
  retried,
  examples,
}: Finding): string {
  const parts = [
    message === '' ? '' : `<p class="fact">${escapeHtml(message)}</p>`,
    hint === undefined ? '' : `<p>Next: ${escapeHtml(hint)}</p>`,
    known === undefined
      ? ''
      : `<p>Known: ${escapeHtml(known.reason)}${known.issue ? ` (${escapeHtml(known.issue)})` : ''}</p>`,
    retried === undefined ? '' : `<p>Retried: ${escapeHtml(retried)}</p>`,
    examples === undefined ? '' : `<p>Examples: ${examplesText(examples)}</p>`,
    expected ? block('expected', expected) : '',
    received ? block('received', received) : '',
    curl.length > 0 ? block('requests', curl.join('\n')) : '',
    replay === undefined ? '' : block('replay', replay.command),
    exchanges.length > 0
      ? `<details class="exchanges"><summary>${counted(exchanges.length, 'exchange')} recorded</summary>${exchanges.map(exchangeHtml).join('')}</details>`
      : '',
    `<p class="cost">${counted(requests, 'request')}, ${ms} ms</p>`,
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** A text under its title, as it is. */
export function block(title: string, text: string): string {
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
