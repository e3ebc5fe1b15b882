/** The pages that links in emails lead to. They call the interface itself, as an application's own page would. */

import { ask, askInterface, segment } from './api.js'
import { field, fill, h } from './dom.js'

const flows = {
  'confirm-verification': {
    title: 'Confirm your email address',
    action: 'Confirm',
    done: 'The address is confirmed.',
    fields: [],
  },
  'confirm-password-reset': {
    title: 'Choose a new password',
    action: 'Set the password',
    done: 'The new password is set. Sign in with it.',
    fields: [
      ['password', 'New password'],
      ['passwordConfirm', 'Repeat password'],
    ],
  },
  'confirm-email-change': {
    title: 'Confirm your new email address',
    action: 'Confirm',
    done: 'The new address is set.',
    fields: [['password', 'Your password']],
  },
}

export async function confirmView({ page, segments: [name, token] }) {
  const flow = flows[name]
  const claims = readClaims(token)
  if (flow === undefined || claims?.collectionId === undefined)
    throw new Error('This link is incomplete. Open it again from the email.')
  const inputs = flow.fields.map(([key, label]) => [
    key,
    h('input', {
      type: 'password',
      required: true,
      autocomplete: key === 'password' && flow.fields.length === 1 ? 'current-password' : 'new-password',
    }),
    label,
  ])
  const problem = h('div', { role: 'alert' })
  const button = h('button.main', {}, flow.action)
  const who = claims.newEmail ?? claims.email

  async function confirm(event) {
    event.preventDefault()
    fill(problem)
    button.disabled = true
    try {
      const { prefix } = await prefixOfServer()
      const url = `${prefix}/collections/${segment(claims.collectionId)}/${name}`
      await askInterface(url, {
        token,
        ...Object.fromEntries(inputs.map(([key, input]) => [key, input.value])),
      })
      fill(
        page,
        h(
          'div.panel.narrow',
          {},
          h('h1', { tabindex: '-1' }, 'Done'),
          h('p', { role: 'status' }, `${flow.done} You can close this page.`),
        ),
      )
      page.querySelector('h1').focus()
    } catch (error) {
      button.disabled = false
      fill(problem, h('p.error', {}, error.message))
    }
  }

  fill(
    page,
    h(
      'form.panel.narrow',
      { onsubmit: confirm },
      h('h1', {}, flow.title),
      who && h('p.soft', {}, 'For ', h('strong', {}, who)),
      inputs.map(([, input, label]) => field(label, input)),
      problem,
      h('div.row', {}, button),
    ),
  )
}

function prefixOfServer() {
  return ask('facts')
}

/** What the token says of itself. Whether that is true the server decides. */
function readClaims(token) {
  try {
    const bytes = Uint8Array.from(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')), (c) =>
      c.charCodeAt(0),
    )
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
