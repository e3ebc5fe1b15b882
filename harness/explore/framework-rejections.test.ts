import { expect, it } from 'vitest'
import { namedFields } from './named-fields.ts'

/** How frameworks and databases say that `title` is missing, each by its default. */
const rejections: [string, unknown][] = [
  [
    'Symfony, API Platform',
    {
      title: 'Validation Failed',
      violations: [{ propertyPath: 'title', message: 'This value should not be blank.', code: 'c1' }],
    },
  ],
  [
    'API Platform, Hydra',
    { 'hydra:title': 'An error occurred', 'hydra:description': 'title: This value should not be blank.' },
  ],
  [
    'API Platform, RFC 7807',
    { title: 'An error occurred', detail: 'title: This value should not be blank.', status: 422 },
  ],
  [
    'JSON:API',
    { errors: [{ status: '422', source: { pointer: '/data/attributes/title' }, detail: "can't be blank" }] },
  ],
  [
    'RFC 7807',
    {
      type: 'x',
      title: "Your request parameters didn't validate.",
      'invalid-params': [{ name: 'title', reason: 'must be set' }],
    },
  ],
  ['RFC 7807 in camel case', { title: 'bad', invalidParams: [{ name: 'title', reason: 'is required' }] }],
  [
    'Google APIs',
    {
      error: {
        code: 400,
        message: 'x',
        details: [{ '@type': 'BadRequest', fieldViolations: [{ field: 'title', description: 'required' }] }],
      },
    },
  ],
  [
    'Joi',
    {
      message: '"title" is required',
      details: [
        {
          message: '"title" is required',
          path: ['title'],
          type: 'any.required',
          context: { label: 'title', key: 'title' },
        },
      ],
    },
  ],
  [
    'Ajv',
    {
      errors: [
        {
          instancePath: '',
          schemaPath: '#/required',
          keyword: 'required',
          params: { missingProperty: 'title' },
          message: "must have required property 'title'",
        },
      ],
    },
  ],
  [
    'Fastify',
    {
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message: "body must have required property 'title'",
    },
  ],
  [
    'ASP.NET',
    { title: 'One or more validation errors occurred.', errors: { Title: ['The Title field is required.'] } },
  ],
  ['marshmallow', { messages: { json: { title: ['Missing data for required field.'] } } }],
  [
    'Quarkus',
    {
      title: 'Constraint Violation',
      status: 400,
      violations: [{ field: 'create.note.title', message: 'must not be blank' }],
    },
  ],
  [
    'Spring',
    {
      errors: [
        { field: 'title', defaultMessage: 'must not be blank', rejectedValue: null, objectName: 'note' },
      ],
    },
  ],
  [
    'Micronaut',
    { message: 'Bad Request', _embedded: { errors: [{ message: 'note.title: must not be blank' }] } },
  ],
  ['Phoenix', { errors: { title: ["can't be blank"] } }],
  [
    'hapi',
    {
      statusCode: 400,
      error: 'Bad Request',
      message: 'Invalid request payload input',
      validation: { source: 'payload', keys: ['title'] },
    },
  ],
  [
    'NestJS',
    {
      statusCode: 400,
      message: ['title should not be empty', 'title must be a string'],
      error: 'Bad Request',
    },
  ],
  [
    'Sails',
    {
      code: 'E_INVALID_NEW_RECORD',
      details:
        'Missing value for required attribute `title`.  Expected a string, but instead, got: undefined',
      attrName: 'title',
      problems: ['x'],
    },
  ],
  [
    'Mongoose',
    {
      errors: {
        title: {
          name: 'ValidatorError',
          message: 'Path `title` is required.',
          kind: 'required',
          path: 'title',
        },
      },
      _message: 'Note validation failed',
    },
  ],
  ['Strapi', { error: { details: { errors: [{ path: ['title'], message: 'title must be defined.' }] } } }],
  ['Prisma', { code: 'P2002', meta: { modelName: 'Note', target: ['title'] } }],
  [
    'PostgreSQL',
    { message: 'null value in column "title" of relation "notes" violates not-null constraint' },
  ],
  ['SQLite', { error: 'NOT NULL constraint failed: notes.title' }],
  ['MySQL', { error: "Field 'title' doesn't have a default value" }],
  ['MySQL, null', { error: "Column 'title' cannot be null" }],
  ['Jackson', { message: "Missing required creator property 'title' (index 0)" }],
  ['serde', { error: 'missing field `title` at line 1 column 2' }],
  [
    'validator of Go',
    { error: "Key: 'Note.Title' Error:Field validation for 'Title' failed on the 'required' tag" },
  ],
  ['aeson', { error: 'Error in $: key "title" not found' }],
  [
    'Django Ninja',
    { detail: [{ type: 'missing', loc: ['body', 'payload', 'title'], msg: 'Field required' }] },
  ],
  [
    'pydantic 1',
    { detail: [{ loc: ['body', 'title'], msg: 'field required', type: 'value_error.missing' }] },
  ],
  ['Django REST framework', { title: ['This field is required.'] }],
  [
    'Laravel',
    { message: 'The title field is required.', errors: { title: ['The title field is required.'] } },
  ],
  ['Yii', [{ field: 'title', message: 'Title cannot be blank.' }]],
  ['forms of Symfony', { errors: { children: { title: { errors: ['This value should not be blank.'] } } } }],
  [
    'Ash',
    { errors: [{ code: 'required', source: { pointer: '/data/attributes/title' }, title: 'Required' }] },
  ],
  [
    'Directus',
    {
      errors: [
        {
          message: 'Validation failed for field "title". Value is required.',
          extensions: { field: 'title', type: 'nnull', code: 'FAILED_VALIDATION' },
        },
      ],
    },
  ],
  [
    'Payload',
    {
      errors: [
        {
          name: 'ValidationError',
          data: { errors: [{ message: 'This field is required.', path: 'title' }] },
          message: 'The following field is invalid: title',
        },
      ],
    },
  ],
  [
    'Keystone',
    {
      errors: [
        { message: 'You provided invalid data for this operation.\n  - Note.title: Title must not be empty' },
      ],
    },
  ],
  [
    'AdonisJS',
    { errors: [{ message: 'The title field must be defined', rule: 'required', field: 'title' }] },
  ],
  ['a list with attributes', { errors: [{ attribute: 'title', error: 'blank' }] }],
  ['details of Rails', { title: [{ error: 'blank' }] }],
  ['Dropwizard', { errors: ['title may not be empty'] }],
  ['Grape', { error: 'title is missing, done is missing' }],
  ['dry-validation', { errors: { title: ['is missing'] } }],
  ['aeson, of a type', { error: 'parsing Main.Note(Note) failed, key "title" not found' }],
  [
    'kin-openapi',
    {
      error:
        'request body has an error: doesn\'t match schema: Error at "/title": property "title" is missing',
    },
  ],
  [
    'Zod',
    {
      error: {
        issues: [
          {
            code: 'invalid_type',
            path: ['title'],
            message: 'Invalid input: expected string, received undefined',
          },
        ],
      },
    },
  ],
  [
    'Valibot',
    {
      issues: [
        {
          kind: 'schema',
          path: [{ key: 'title' }],
          message: 'Invalid key: Expected "title" but received undefined',
        },
      ],
    },
  ],
  ['TypeBox', { errors: [{ path: '/title', message: 'Expected string' }] }],
  ['a list with keys', { errors: [{ key: 'title', message: 'is required' }] }],
  [
    'Microsoft APIs',
    {
      error: {
        code: 'BadArgument',
        message: 'bad',
        details: [{ code: 'NullValue', target: 'title', message: 'must not be null' }],
      },
    },
  ],
]
it.each(rejections)('%s names the field', (_name, body) => {
  expect(namedFields(body).map((name) => name.toLowerCase())).toContain('title')
})

it.each(rejections)('%s names nothing else', (_name, body) => {
  const others = namedFields(body).filter((name) => !['title', 'done'].includes(name.toLowerCase()))
  expect(others).toEqual([])
})

it.each<[string, unknown]>([
  ['wrong credentials', { error: 'Unauthorized: a valid session must be sent' }],
  ['an exception', { message: 'ValidationError: the request must be valid' }],
  ['a record that does not exist', { title: 'Not found', detail: 'The requested resource was not found.' }],
  ['a code', { error: { code: 'invalid_request', target: 'urn:x:1', message: 'The request is not valid' } }],
  ['a key of a translation', { key: 'error.not-blank', message: 'A value is required' }],
  ['a server that is down', 'Service unavailable: try again later'],
])('%s names no field', (_name, body) => {
  expect(namedFields(body)).toEqual([])
})
