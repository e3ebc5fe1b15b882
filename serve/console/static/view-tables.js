import { ask, segment } from './api.js'
import { confirmed, field, fill, h, toast } from './dom.js'
import { follow } from './live.js'
import { sortedGrid } from './sorted-grid.js'

export async function tablesView({ page }) {
  const [server, tables] = await Promise.all([ask('facts'), ask('tables')])
  const own = tableList('Tables')
  const system = tableList('System tables')
  const empty = h(
    'div.empty',
    {},
    h('p', {}, 'No tables yet. Start the server with --data FILE to load some.'),
  )
  const outcome = h('div', { role: 'status' })
  const file = h('input', { type: 'file', accept: '.json,application/json', onchange: importState })

  async function importState() {
    const [chosen] = file.files
    if (chosen === undefined) return
    fill(outcome)
    try {
      const question = `Replace all tables, records and keys with the content of ${chosen.name}?`
      if (!(await confirmed(question, 'Import'))) return
      const { tables: names, notices } = await ask('state', { method: 'POST', body: chosen })
      draw(await ask('tables'))
      const count = `${names.length} table${names.length === 1 ? '' : 's'}`
      fill(
        outcome,
        h('p', {}, `Imported ${count} from ${chosen.name}.`),
        notices.map((text) => h('p.soft', {}, text)),
      )
    } catch (error) {
      fill(outcome, h('p.error', {}, error.message))
    } finally {
      file.value = ''
    }
  }

  function draw(all) {
    const ours = all.filter((table) => !table.system)
    own.draw(ours)
    own.element.hidden = ours.length === 0
    empty.hidden = ours.length > 0
    system.draw(all.filter((table) => table.system))
  }

  fill(
    page,
    h('h1', {}, 'Tables'),
    h(
      'p.soft',
      {},
      `${server.name} ${server.version}, interface at `,
      h('code', {}, `${server.url}${server.prefix}`),
      `, seed ${server.seed}. Everything is kept in memory and is gone when the server stops.`,
    ),
    own.element,
    empty,
    h('details', {}, h('summary', {}, 'System tables'), system.element),
    h('h2', {}, 'State'),
    h(
      'p.soft',
      {},
      'All tables, records, accounts and keys, secrets included, in the form that --data reads. An import replaces them, and a reset then returns to the import.',
    ),
    h(
      'div.row',
      {},
      h('a.button', { href: 'api/state', download: 'state.json' }, 'Export the state'),
      h('div.grow', {}, field('Import a state', file, 'a data file in JSON')),
    ),
    outcome,
    h('h2', {}, 'Reset'),
    h(
      'p.soft',
      {},
      'Restores the data that was loaded last, and the clock to its start. Empties the mailbox.',
    ),
    h(
      'button.danger',
      {
        type: 'button',
        async onclick() {
          if (
            !(await confirmed(
              'All changes since the data was loaded will be lost. Reset the server?',
              'Reset',
            ))
          )
            return
          await ask('reset', { method: 'POST' })
          draw(await ask('tables'))
          toast('The server was reset')
        },
      },
      'Reset the server',
    ),
  )
  draw(tables)
  return follow('state', async () => draw(await ask('tables')))
}

function tableList(caption) {
  return sortedGrid(caption, [
    {
      name: 'Name',
      header: true,
      by: ({ name }) => name,
      cell: ({ name }) => h('a', { href: `#/tables/${segment(name)}`, 'data-keep': name }, name),
    },
    { name: 'Purpose', by: purpose, cell: purpose },
    { name: 'Records', classes: '.number', by: ({ count }) => count, cell: ({ count }) => count },
    { name: 'Id', classes: '.wide.mono.soft', by: ({ id }) => id, cell: ({ id }) => id },
  ])
}

const purpose = ({ type }) => (type === 'auth' ? 'signing in' : 'records')
