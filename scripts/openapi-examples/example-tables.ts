import type { TableDefinition } from '../../spec/table-definition.ts'

const created = { name: 'created', type: 'autodate', onCreate: true } as const
const updated = { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true } as const
const signedIn = '@request.auth.id != ""'

/** The tables of the examples: a blog, its members, and its staff, who sign in with two factors. */
export const exampleTables: TableDefinition[] = [
  {
    id: 'tblmembers00001',
    name: 'members',
    type: 'auth',
    listRule: '',
    viewRule: '',
    createRule: '',
    updateRule: 'id = @request.auth.id',
    deleteRule: 'id = @request.auth.id',
    fields: [{ name: 'name', type: 'text' }, created, updated],
    otp: { enabled: true, duration: 180, length: 8 },
    authAlert: { enabled: false },
  },
  {
    id: 'tblstaff0000001',
    name: 'staff',
    type: 'auth',
    fields: [created, updated],
    otp: { enabled: true, duration: 180, length: 8 },
    mfa: { enabled: true, duration: 600, rule: '' },
    authAlert: { enabled: false },
  },
  {
    id: 'tblposts0000001',
    name: 'posts',
    type: 'base',
    listRule: '',
    viewRule: '',
    createRule: signedIn,
    updateRule: signedIn,
    deleteRule: signedIn,
    fields: [
      { name: 'title', type: 'text', required: true, max: 60 },
      { name: 'status', type: 'select', values: ['draft', 'published'], maxSelect: 1 },
      { name: 'views', type: 'number', onlyInt: true },
      { name: 'author', type: 'relation', collectionId: 'tblmembers00001', maxSelect: 1 },
      { name: 'place', type: 'geoPoint' },
      created,
      updated,
    ],
  },
  {
    id: 'tblaudit0000001',
    name: 'audit',
    type: 'base',
    fields: [{ name: 'entry', type: 'text' }, created, updated],
  },
]
