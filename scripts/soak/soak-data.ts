/**
 * The tables and records that the soak serves. Every table is open, so that no request needs a superuser.
 *
 * @module
 */

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }

/** Records that every list is made of. The load deletes what it creates, so there are never many more. */
const posts = 200

/** Accounts that sign in: `user0@example.com` and so on, all with `soakPassword`. */
export const soakAccounts = 20

export const soakPassword = 'soak-password'

/** A data file for `conformance serve --data`. */
export function soakData(): object {
  return {
    tables: [
      {
        id: 'soakusers000001',
        name: 'users',
        type: 'auth',
        ...open,
        otp: { enabled: true },
        authAlert: { enabled: false },
        fields: [{ name: 'name', type: 'text' }],
      },
      {
        name: 'posts',
        ...open,
        fields: [
          { name: 'title', type: 'text', required: true, max: 200 },
          { name: 'body', type: 'text' },
          { name: 'rating', type: 'number' },
          { name: 'tags', type: 'select', values: ['red', 'green', 'blue'], maxSelect: 3 },
          { name: 'extra', type: 'json' },
          { name: 'author', type: 'relation', collectionId: 'soakusers000001' },
          { name: 'created', type: 'autodate', onCreate: true },
        ],
      },
    ],
    records: {
      users: Array.from({ length: soakAccounts }, (_, at) => ({
        id: `user${String(at).padStart(11, '0')}`,
        email: `user${at}@example.com`,
        password: soakPassword,
        name: `User ${at}`,
      })),
      posts: Array.from({ length: posts }, (_, at) => ({
        id: `post${String(at).padStart(11, '0')}`,
        title: `Post ${at}`,
        body: 'text '.repeat(20),
        rating: at % 10,
        tags: at % 2 === 0 ? ['red'] : ['green', 'blue'],
        author: `user${String(at % soakAccounts).padStart(11, '0')}`,
      })),
    },
  }
}
