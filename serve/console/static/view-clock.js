import { ask } from './api.js'
import { field, fill, h } from './dom.js'
import { follow } from './live.js'

const steps = [
  ['1m', '1 minute'],
  ['15m', '15 minutes'],
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['7d', '1 week'],
  ['30d', '30 days'],
]

export async function clockView({ page }) {
  const face = h('time.big')
  const state = h('p.soft', { role: 'status' })
  const problem = h('div', { role: 'alert' })
  const hold = h('button', {
    type: 'button',
    onclick: () => command(frozen ? { unfreeze: true } : { freeze: true }),
  })
  const moment = h('input.mono', { type: 'text', spellcheck: 'false', autocomplete: 'off' })
  let frozen = false
  /** Of the server's clock before ours. */
  let ahead = 0
  let still = 0

  function take(facts) {
    frozen = facts.frozen
    still = Date.parse(facts.now)
    ahead = still - Date.now()
    hold.textContent = frozen ? 'Start the clock' : 'Stop the clock'
    state.textContent = `${frozen ? 'The clock is stopped' : 'The clock is running'}, ${distance(facts.ahead)}.`
    tick()
  }
  function tick() {
    const now = new Date(frozen ? still : Date.now() + ahead).toISOString()
    face.setAttribute('datetime', now)
    face.textContent = now.replace('T', ' ').replace(/\.\d+/, '')
  }
  async function command(body) {
    fill(problem)
    try {
      take(await ask('clock', { method: 'POST', body }))
    } catch (error) {
      fill(problem, h('p.error', {}, error.message))
    }
  }

  fill(
    page,
    h('h1', {}, 'Clock'),
    h(
      'p.soft',
      {},
      'The time that the server uses for timestamps and for the expiry of tokens and codes. The clock of your machine does not change.',
    ),
    h(
      'div.panel',
      {},
      face,
      state,
      h('div.row', {}, hold, h('button', { type: 'button', onclick: back }, 'Back to the machine’s time')),
    ),
    h('h2', {}, 'Advance by'),
    h(
      'div.row',
      {},
      steps.map(([advance, label]) =>
        h('button', { type: 'button', onclick: () => command({ advance }) }, label),
      ),
    ),
    h('h2', {}, 'Go to'),
    h(
      'form.row',
      {
        onsubmit(event) {
          event.preventDefault()
          command({ set: moment.value.trim() })
        },
      },
      h('div.grow', {}, field('Moment', moment, '2030-01-31T12:00:00Z')),
      h('button.main', {}, 'Set the clock'),
    ),
    problem,
  )
  function back() {
    return command({ unfreeze: true, set: 'system' })
  }
  take(await ask('clock'))
  const timer = setInterval(tick, 250)
  const unfollow = follow('state', async () => take(await ask('clock')))
  return () => {
    clearInterval(timer)
    unfollow()
  }
}

function distance(ahead) {
  const seconds = Math.round(Math.abs(ahead) / 1000)
  if (seconds < 2) return 'same as the machine’s time'
  const [amount, unit] =
    seconds >= 172_800
      ? [seconds / 86_400, 'days']
      : seconds >= 7_200
        ? [seconds / 3_600, 'hours']
        : seconds >= 120
          ? [seconds / 60, 'minutes']
          : [seconds, 'seconds']
  return `${Math.round(amount)} ${unit} ${ahead > 0 ? 'ahead of' : 'behind'} the machine’s time`
}
