import { ask } from './api.js'
import { checkbox, confirmed, copyButton, field, fill, focusOn, h, time, toast } from './dom.js'
import { sortedGrid } from './sorted-grid.js'

const actions = ['list', 'view', 'create', 'update', 'delete']

export async function keysView({ page }) {
  const [keys, tables] = await Promise.all([ask('api-keys'), ask('tables')])
  const list = h('div')
  const made = h('div', { 'aria-live': 'polite' })
  const draw = async (all) => fill(list, all.length === 0 ? nothing() : table(all, revoke))

  async function revoke({ id, name }) {
    if (!(await confirmed(`Revoke the key “${name || id}”? Its next request will be anonymous.`, 'Revoke')))
      return
    await ask('api-keys', { method: 'POST', body: { revoke: id } })
    await draw(await ask('api-keys'))
    toast('Revoked')
    focusOn(page.querySelector('h1'))
  }

  fill(
    page,
    h('h1', {}, 'API keys'),
    h(
      'p.soft',
      {},
      'For trusted server code: a key bypasses the rules of its tables. Send it unchanged in the Authorization header.',
    ),
    list,
    made,
    form(
      tables.filter(({ system }) => !system),
      async (scope) => {
        const { key, name, id } = await ask('api-keys', { method: 'POST', body: scope })
        fill(
          made,
          h(
            'div.panel.secret',
            {},
            h('h2', {}, `The key “${name || id}”`),
            h('p', {}, 'Copy it now: it is shown only once.'),
            h('pre', { id: 'new-key' }, key),
            copyButton(key, 'Copy the key'),
          ),
        )
        await draw(await ask('api-keys'))
      },
    ),
  )
  await draw(keys)
}

const nothing = () => h('div.empty', {}, h('p', {}, 'No keys yet.'))

const stamp = (moment) => time(moment, { dateStyle: 'medium', timeStyle: 'short' })
const tablesOf = ({ tables }) => (tables.includes('*') ? 'all tables' : tables.join(', '))
const actionsOf = ({ actions }) => actions.join(', ')

function table(keys, revoke) {
  const { element, draw } = sortedGrid('API keys', [
    {
      name: 'Name',
      header: true,
      by: ({ name, id }) => name || id,
      cell: ({ name, id }) => name || h('span.mono', {}, id),
    },
    { name: 'Tables', by: tablesOf, cell: tablesOf },
    { name: 'Actions', by: actionsOf, cell: actionsOf },
    {
      name: 'Created',
      classes: '.wide.nowrap',
      by: ({ created }) => created,
      cell: ({ created }) => stamp(created),
    },
    {
      name: 'Last used',
      classes: '.wide.nowrap',
      by: ({ lastUsed }) => lastUsed ?? '',
      cell: ({ lastUsed }) => (lastUsed ? stamp(lastUsed) : 'never'),
    },
    {
      name: 'Revoke',
      head: h('span.hidden', {}, 'Revoke'),
      cell: (key) =>
        h(
          'button.small.danger',
          { type: 'button', 'aria-label': `Revoke ${key.name || key.id}`, onclick: () => revoke(key) },
          'Revoke',
        ),
    },
  ])
  draw(keys)
  return element
}

function form(tables, create) {
  const name = h('input', { type: 'text', autocomplete: 'off', maxlength: '100' })
  const problem = h('div', { role: 'alert' })
  const all = checkbox('All tables', '*', false, () => {
    for (const { input } of each) input.disabled = all.input.checked
  })
  const each = tables.map((one) => checkbox(one.name, one.name))
  const may = actions.map((action) => checkbox(action, action, action === 'list' || action === 'view'))
  const chosen = (boxes) =>
    boxes.filter(({ input }) => input.checked && !input.disabled).map(({ input }) => input.value)
  return h(
    'form.panel',
    {
      async onsubmit(event) {
        event.preventDefault()
        fill(problem)
        const scope = {
          name: name.value.trim(),
          tables: all.input.checked ? ['*'] : chosen(each),
          actions: chosen(may),
        }
        try {
          await create(scope)
          name.value = ''
        } catch (error) {
          fill(problem, h('p.error', {}, error.message))
        }
      },
    },
    h('h2', {}, 'Create a key'),
    field('Name', name, 'To tell keys apart'),
    h(
      'fieldset',
      {},
      h('legend', {}, 'Tables'),
      h(
        'div.choices',
        {},
        all.label,
        each.map(({ label }) => label),
      ),
    ),
    h(
      'fieldset',
      {},
      h('legend', {}, 'Actions'),
      h(
        'div.choices',
        {},
        may.map(({ label }) => label),
      ),
    ),
    problem,
    h('button.main', {}, 'Create the key'),
  )
}
