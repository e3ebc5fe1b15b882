import { defineTables } from 'record-auth-conformance/reference'

const signedIn = '@request.auth.id != ""'
const ownBoard = 'board.owner = @request.auth.id'

/** Boards with tasks, each board of one person; a board may be shared with others, who can read it. */
export const tables = defineTables([
  {
    id: 'board_people_01',
    name: 'people',
    type: 'auth',
    listRule: signedIn,
    viewRule: signedIn,
    createRule: '',
    updateRule: 'id = @request.auth.id',
    deleteRule: 'id = @request.auth.id',
    authAlert: { enabled: false },
    fields: [{ name: 'name', type: 'text', required: true, max: 40 }],
  },
  {
    id: 'board_boards_01',
    name: 'boards',
    listRule: 'owner = @request.auth.id || readers.id ?= @request.auth.id',
    viewRule: 'owner = @request.auth.id || readers.id ?= @request.auth.id',
    createRule: `${signedIn} && @request.auth.verified = true && @request.body.owner = @request.auth.id`,
    updateRule: 'owner = @request.auth.id',
    deleteRule: 'owner = @request.auth.id',
    fields: [
      { name: 'title', type: 'text', required: true, max: 80 },
      {
        name: 'owner',
        type: 'relation',
        collectionId: 'board_people_01',
        required: true,
        maxSelect: 1,
        cascadeDelete: true,
      },
      { name: 'readers', type: 'relation', collectionId: 'board_people_01', maxSelect: 50 },
      { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
      { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
    ],
  },
  {
    id: 'board_tasks_001',
    name: 'tasks',
    listRule: `${ownBoard} || board.readers.id ?= @request.auth.id`,
    viewRule: `${ownBoard} || board.readers.id ?= @request.auth.id`,
    createRule: ownBoard,
    updateRule: ownBoard,
    deleteRule: ownBoard,
    fields: [
      {
        name: 'board',
        type: 'relation',
        collectionId: 'board_boards_01',
        required: true,
        maxSelect: 1,
        cascadeDelete: true,
      },
      { name: 'text', type: 'text', required: true, max: 200 },
      { name: 'done', type: 'bool' },
      { name: 'rank', type: 'number', onlyInt: true },
      { name: 'label', type: 'select', values: ['now', 'later'], maxSelect: 1 },
      { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
      { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
    ],
  },
])
