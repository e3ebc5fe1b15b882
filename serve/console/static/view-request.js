import { ask } from './api.js'
import { facts, fill, h, readable, time } from './dom.js'
import { finding } from './view-requests.js'

export async function requestView({ page, segments: [id] }) {
  const one = await ask(`requests/${id}`)
  fill(
    page,
    h('p.crumbs', {}, h('a', { href: '#/requests' }, 'All requests')),
    h('h1.mono', {}, `${one.method} ${readable(one.path)}`),
    h(
      'div.panel',
      {},
      facts([
        ['Time', time(one.at, { dateStyle: 'medium', timeStyle: 'medium' })],
        ['Operation', one.operation ?? 'not an operation of the interface'],
        ['Caller', one.caller],
        ['Status', one.status || 'the connection was dropped'],
        ['Took', `${one.duration} ms`],
        ['Interface', finding(one)],
      ]),
    ),
    one.reason?.length > 0 && rejection(one.reason),
    one.findings?.length > 0 && findings(one.findings),
    h('h2', {}, 'Request'),
    message(one.request),
    h('h2', {}, 'Answer'),
    message(one.response),
    h('p.hint', {}, 'Tokens, passwords and keys are shown by name only.'),
  )
}

/** What the response does not say. */
function rejection(lines) {
  return [h('h2', {}, 'Why it was rejected'), h('pre', { tabindex: '0' }, lines.join('\n'))]
}

function findings(all) {
  return [
    h('h2', {}, 'Findings'),
    all.map(({ requirement, level, status, statement, path, expected, received }) =>
      h(
        'div.panel',
        {},
        h(
          'p',
          {},
          h(`span.strong.${status === 'fail' ? 'bad' : 'warn'}`, {}, status),
          ' ',
          h('code', {}, requirement),
          ` ${level}`,
        ),
        h('p', {}, statement),
        facts([
          ['Place', h('code', {}, path)],
          ['Expected', expected],
          ['Received', received],
        ]),
      ),
    ),
  ]
}

function message({ headers, body, size }) {
  return [
    body === undefined
      ? h('p.soft', {}, size === undefined ? 'No body.' : `A body of ${size} bytes that is not shown.`)
      : h('pre', { tabindex: '0' }, pretty(body)),
    h(
      'details',
      {},
      h('summary', {}, 'Headers'),
      facts(Object.entries(headers).map(([name, value]) => [name, h('span.mono', {}, value)])),
    ),
  ]
}

function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
