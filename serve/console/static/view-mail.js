import { ask } from './api.js'
import { copyButton, facts, fill, h, time } from './dom.js'
import { follow } from './live.js'
import { sortedGrid } from './sorted-grid.js'

const kinds = {
  verification: 'Verification',
  'password-reset': 'Password reset',
  'email-change': 'Email change',
  otp: 'One-time code',
  'login-alert': 'Sign-in alert',
}

export async function mailView({ page, segments: [number] }) {
  const letters = letterList()
  const empty = h('div')
  const opened = h('div')
  let count = -1

  async function draw() {
    const { mails } = await ask('mail')
    if (mails.length === count) return
    count = mails.length
    letters.draw(mails.map((mail, at) => ({ mail, number: at + 1 })))
    letters.element.hidden = mails.length === 0
    fill(empty, mails.length === 0 && nothing())
  }

  async function open() {
    if (number === undefined) return
    const { mails } = await ask('mail')
    const mail = mails[Number(number) - 1]
    fill(
      opened,
      mail === undefined
        ? [h('h1', {}, 'Email not found'), h('p.error', {}, 'This email is no longer in the mailbox.')]
        : letter(mail),
    )
  }

  fill(
    page,
    number !== undefined && h('p.crumbs', {}, h('a', { href: '#/mail' }, 'All emails')),
    number === undefined && h('h1', {}, 'Mail'),
    number === undefined && [
      h(
        'p.soft',
        {},
        'All emails that the server has sent, newest first. They do not leave this machine unless --smtp is set.',
      ),
      h(
        'div.row',
        {},
        h(
          'button',
          {
            type: 'button',
            async onclick() {
              await ask('mail', { method: 'DELETE' })
              await draw()
            },
          },
          'Empty the mailbox',
        ),
      ),
      letters.element,
      empty,
    ],
    opened,
  )
  if (number !== undefined) return void (await open())
  await draw()
  return follow('mail', draw)
}

const nothing = () =>
  h('div.empty', {}, h('p', {}, 'No emails yet. They appear here as soon as the server sends one.'))

function letterList() {
  return sortedGrid(
    'Mails',
    [
      {
        name: 'To',
        header: true,
        by: ({ mail }) => mail.to,
        cell: ({ mail, number }) =>
          h('a', { href: `#/mail/${number}`, 'data-keep': `mail ${number}` }, mail.to),
      },
      { name: 'Code or link', cell: ({ mail }) => quick(mail) },
      { name: 'Kind', classes: '.wide', by: kindOf, cell: kindOf },
      { name: 'Subject', classes: '.wide', by: ({ mail }) => mail.subject, cell: ({ mail }) => mail.subject },
      {
        name: 'Sent',
        classes: '.wide.nowrap.soft',
        by: ({ number }) => number,
        cell: ({ mail }) => time(mail.sentAt),
      },
    ],
    ['Sent', 'descending'],
  )
}

const kindOf = ({ mail }) => kinds[mail.kind] ?? mail.kind

function quick({ code, link }) {
  if (code !== undefined) return [h('code.strong', {}, code), ' ', copyButton(code)]
  return link === undefined ? '–' : [linkTo(link), ' ', copyButton(link, 'Copy link')]
}

/** Only addresses of the web: a template may hold anything. */
function linkTo(link, label = 'Open link') {
  return /^https?:\/\//i.test(link) ? h('a', { href: link, rel: 'noopener noreferrer' }, label) : link
}

function letter({ kind, to, subject, text, html, sentAt, code, link, token }) {
  return [
    h('h1', {}, subject),
    h(
      'div.panel',
      {},
      facts([
        ['To', to],
        ['Sent', time(sentAt, { dateStyle: 'medium', timeStyle: 'medium' })],
        ['Kind', kinds[kind] ?? kind],
        ['Code', code && [h('code.strong', {}, code), ' ', copyButton(code)]],
        ['Link', link && [linkTo(link, link), ' ', copyButton(link)]],
        ['Token', token && copyButton(token, 'Copy the token')],
      ]),
      h('pre', {}, text),
    ),
    h('details', {}, h('summary', {}, 'HTML source'), h('pre', {}, html)),
  ]
}
