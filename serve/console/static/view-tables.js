import { ask, segment } from './api.js'
import { confirmed, fill, grid, h, toast } from './dom.js'
import { follow } from './live.js'

export async function tablesView({ page }) {
  const [server, tables] = await Promise.all([ask('facts'), ask('tables')])
  const own = h('div')
  const system = h('div')

  function draw(all) {
    const [ours, theirs] = [all.filter((table) => !table.system), all.filter((table) => table.system)]
    fill(
      own,
      ours.length === 0
        ? h('div.empty', {}, h('p', {}, 'No tables yet. Start the server with --data FILE to load some.'))
        : list('Tables', ours),
    )
    fill(system, list('System tables', theirs))
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
    own,
    h('details', {}, h('summary', {}, 'System tables'), system),
    h('h2', {}, 'Reset'),
    h('p.soft', {}, 'Restores the initial tables, records and keys, and empties the mailbox.'),
    h(
      'button.danger',
      {
        type: 'button',
        async onclick() {
          if (!(await confirmed('All changes since the start will be lost. Reset the server?', 'Reset')))
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

function list(caption, tables) {
  return grid(
    caption,
    ['Name', 'For', h('th.number', { scope: 'col' }, 'Records'), h('th.wide', { scope: 'col' }, 'Id')],
    tables.map(({ id, name, type, count }) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, h('a', { href: `#/tables/${segment(name)}` }, name)),
        h('td', {}, type === 'auth' ? 'signing in' : 'records'),
        h('td.number', {}, count),
        h('td.wide.mono.soft', {}, id),
      ),
    ),
  )
}
