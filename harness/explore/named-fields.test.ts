import { expect, it } from 'vitest'
import { namedFields } from './named-fields.ts'

it.each<[string, unknown, string[]]>([
  [
    'a key for each field',
    { data: { token: { code: 'validation_required', message: 'Cannot be blank.' } } },
    ['token'],
  ],
  ['a message for each field', { errors: { otp_id: 'is required', code: 'required' } }, ['otp_id', 'code']],
  [
    'messages for each field',
    { errors: { resetToken: ['must be set', 'must be a string'] } },
    ['resetToken'],
  ],
  [
    'messages for each field of the body',
    { new_password: ['This field is required.'], errors: ['wrong', 'required'] },
    ['new_password'],
  ],
  [
    'a list of errors',
    {
      errors: [
        { field: 'code', message: 'required' },
        { path: 'id', msg: 'x' },
      ],
    },
    ['code', 'id'],
  ],
  [
    'a location',
    { detail: [{ loc: ['body', 'verification_token'], msg: 'field required' }] },
    ['verification_token'],
  ],
  [
    'a pointer',
    { errors: [{ source: { pointer: '/body/newPassword' }, title: 'Missing' }] },
    ['newPassword'],
  ],
  ['a quoted name in a message', { error: '"proof" is required' }, ['proof']],
  ['a name in a message', { ok: false, error: 'otp_code is missing' }, ['otp_code']],
  ['a name at the end', { message: 'missing field: secret_code' }, ['secret_code']],
  ['a text', 'Missing required parameter `otp`', ['otp']],
  ['another message for a field', { detail: { new_email: 'Enter a valid email address.' } }, ['new_email']],
  [
    'sentences of NestJS',
    {
      statusCode: 400,
      message: ['firstName should not be empty', 'age must be a number'],
      error: 'Bad Request',
    },
    ['firstName', 'age'],
  ],
  [
    'sentences of Rails',
    { errors: ["First name can't be blank", 'Title is too short, must be 3 letters', 'Category must exist'] },
    ['first_name', 'title', 'category'],
  ],
  [
    'a sentence of Laravel',
    { message: 'The first name field is required. (and 1 more error)' },
    ['first_name'],
  ],
  [
    'a sentence of Gin',
    { error: "Key: 'Staff.Name' Error:Field validation for 'Name' failed on the 'required' tag" },
    ['Name'],
  ],
  [
    'a field whose name is a usual word',
    { errors: { body: ["can't be blank"], content: ['is required'] } },
    ['body', 'content'],
  ],
  ['such a name in quotes', { message: "body must have required property 'key'" }, ['key']],
  ['a type in quotes', { message: "expected 'string' at 'title', received 'undefined'" }, ['title']],
  [
    'paths in brackets, as Better Auth writes them',
    {
      message:
        '[body.name] Invalid input: expected string, received undefined; [body.profile.age] Invalid input: expected number',
      code: 'VALIDATION_ERROR',
    },
    ['name', 'age'],
  ],
  [
    'a path of Fastify',
    { statusCode: 400, error: 'Bad Request', message: 'body/first_name must be string' },
    ['first_name'],
  ],
  [
    'errors that Zod prints',
    { error: '✖ Invalid input: expected string, received undefined\n  → at name' },
    ['name'],
  ],
  [
    'the JSON of errors in a message, as Hono sends them',
    {
      success: false,
      error: {
        name: 'ZodError',
        message:
          '[\n {"expected":"string","code":"invalid_type","path":["title"],"message":"Invalid input"}\n]',
      },
    },
    ['title'],
  ],
  [
    'an error of FastAPI, which repeats the body',
    {
      detail: [
        {
          type: 'missing',
          loc: ['body', 'token'],
          msg: 'Field required',
          input: { code: 'is required', passwordConfirm: 'must be set' },
        },
      ],
    },
    ['token'],
  ],
  [
    'errors of NestJS, which repeat the object',
    {
      message: [
        {
          target: { password: 'must be valid' },
          value: { code: 'required' },
          property: 'otpId',
          constraints: { isString: 'otpId must be a string' },
        },
      ],
    },
    ['otpId'],
  ],
  [
    'errors of Spring Boot, next to the path of the request',
    {
      status: 400,
      error: 'Bad Request',
      path: '/api/v1/collections/notes/records',
      errors: { title: ['must not be blank'] },
    },
    ['title'],
  ],
  [
    'errors within an error',
    { errors: [{ field: 'address', errors: { city: 'is required' } }] },
    ['address', 'city'],
  ],
  [
    'an object for a field of such a name',
    { data: { value: { code: 'validation_required', message: 'Cannot be blank.' } } },
    ['value'],
  ],
  ['a message in braces', { errors: { value: '{value} is required' } }, ['value']],
  ['a body that is repeated as a string', { message: 'no', input: '{"token":"is required"}' }, []],
  [
    'a field of such a name',
    { errors: { value: ['is required'], input: 'must be set' } },
    ['value', 'input'],
  ],
  ['a prefix in brackets', { message: '[auth] Authentication is required' }, []],
  ['the body', { detail: [{ loc: ['body'], msg: 'Field required' }] }, []],
  ['a sentence about the client', { error: 'You must sign in first', hint: 'The request must be valid' }, []],
  ['no field', { status: 400, message: 'The request body is invalid.', data: {} }, []],
  ['one error', { error: { code: 'bad_request', type: 'validation', message: 'Something is wrong.' } }, []],
  ['nothing', undefined, []],
])('reads %s', (_, body, names) => {
  expect(namedFields(body)).toEqual(names)
})
