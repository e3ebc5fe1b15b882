import { defineTables } from '../../reference/reference.ts'

/** A small forum: what an application would write down. */
export const forumTables = defineTables([
  {
    id: 'conf_members_001',
    name: 'members',
    type: 'auth',
    listRule: '',
    viewRule: '',
    createRule: '',
    updateRule: 'id = @request.auth.id',
    fields: [
      { name: 'nick', type: 'text', min: 3, max: 20 },
      { name: 'role', type: 'select', values: ['reader', 'writer'], required: true },
    ],
    indexes: ["CREATE UNIQUE INDEX idx_nick ON members (nick COLLATE NOCASE) WHERE nick != ''"],
    otp: { enabled: true },
  },
  {
    id: 'conf_posts_00001',
    name: 'posts',
    listRule: '',
    viewRule: '',
    createRule: '@request.auth.id != "" && author = @request.auth.id',
    updateRule: 'author = @request.auth.id',
    deleteRule: 'author = @request.auth.id',
    fields: [
      { name: 'title', type: 'text', required: true, max: 80 },
      { name: 'author', type: 'relation', collectionId: 'conf_members_001', required: true },
      { name: 'tags', type: 'select', values: ['news', 'help', 'fun'], maxSelect: 3 },
      { name: 'score', type: 'number', onlyInt: true, min: -5, max: 5 },
      { name: 'cover', type: 'file', mimeTypes: ['image/png'] },
      { name: 'meta', type: 'json' },
      { name: 'when', type: 'date' },
      { name: 'place', type: 'geoPoint' },
      { name: 'pinned', type: 'bool' },
    ],
  },
  {
    name: 'comments',
    listRule: '',
    viewRule: '',
    createRule: '@request.auth.id != ""',
    fields: [
      {
        name: 'post',
        type: 'relation',
        collectionId: 'conf_posts_00001',
        required: true,
        cascadeDelete: true,
      },
      { name: 'likes', type: 'relation', collectionId: 'conf_members_001', maxSelect: 9 },
      { name: 'body', type: 'editor' },
    ],
  },
])
