import { ask } from './api.js'
import { copyButton, facts, fill, h, readable, status, time, toast } from './dom.js'
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
        ['Status', status(one.status)],
        ['Took', `${one.duration} ms`],
        ['Interface', finding(one)],
      ]),
    ),
    one.reason?.length > 0 && reason(one),
    one.findings?.length > 0 && findings(one.findings),
    h('h2', {}, 'Request'),
    message(one.request),
    h('h3', {}, 'Repeat it'),
    h('pre', { id: 'curl', tabindex: '0' }, one.curl),
    h('div.row', {}, copyButton(one.curl, 'Copy as curl'), again(one)),
    h(
      'p.hint',
      {},
      one.repeatable
        ? 'The server sends it with the same secrets. In the command, secrets are shell variables: set them first.'
        : 'It cannot be sent again from here: its body was not kept, because it is long, binary or was not read.',
    ),
    h('h2', {}, 'Response'),
    message(one.response),
    h('p.hint', {}, 'Tokens, passwords and keys are shown by name only.'),
  )
}

function again({ id, repeatable }) {
  return h(
    'button.small',
    {
      type: 'button',
      disabled: !repeatable,
      async onclick() {
        try {
          const made = await ask(`requests/${id}/repeat`, { method: 'POST' })
          toast('Sent again')
          location.hash = made.id === undefined ? '#/requests' : `#/requests/${made.id}`
        } catch (error) {
          toast(error.message)
        }
      },
    },
    'Send again',
  )
}

/** What the response does not say, also of a request that succeeded. */
function reason({ status, reason: lines }) {
  const title = status < 400 ? 'Probably a mistake' : 'Why it was rejected'
  return [h('h2', {}, title), h('pre', { tabindex: '0' }, lines.join('\n'))]
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
