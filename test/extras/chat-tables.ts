import { defineTables } from '../../reference/reference.ts'

/** A small chat: rooms, messages that only members of their room see, and files of both kinds. */
export const chatTables = defineTables([
  {
    id: 'chat_users_00001',
    name: 'users',
    type: 'auth',
    listRule: '',
    viewRule: '',
    createRule: '',
    updateRule: 'id = @request.auth.id',
    deleteRule: 'id = @request.auth.id',
    fields: [{ name: 'nick', type: 'text' }],
  },
  {
    id: 'chat_rooms_00001',
    name: 'rooms',
    listRule: '',
    viewRule: '',
    createRule: '',
    updateRule: '',
    deleteRule: '',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'members', type: 'relation', collectionId: 'chat_users_00001', maxSelect: 99 },
      { name: 'logo', type: 'file', thumbs: ['100x100'] },
      { name: 'secret', type: 'text', hidden: true },
    ],
  },
  {
    id: 'chat_messages_01',
    name: 'messages',
    listRule: 'room.members.id ?= @request.auth.id',
    viewRule: 'room.members.id ?= @request.auth.id',
    createRule: '@request.auth.id != ""',
    updateRule: '@request.auth.id != ""',
    deleteRule: '@request.auth.id != ""',
    fields: [
      {
        name: 'room',
        type: 'relation',
        collectionId: 'chat_rooms_00001',
        required: true,
        cascadeDelete: true,
      },
      { name: 'text', type: 'text' },
      { name: 'attachment', type: 'file', protected: true },
    ],
  },
])
