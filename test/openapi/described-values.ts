/**
 * Schemas of a description, compiled.
 *
 * @module
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Description } from '../../openapi/openapi.ts'
import { formats } from '../../spec/formats.ts'

/** Says what is wrong with a value of a component; undefined if nothing is. */
export type Judge = (component: string, value: unknown) => string | undefined

export function judgeOf(description: Description): Judge {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { ...formats, double: true, int64: true },
  })
  ajv.addSchema(description, 'description')
  return (component, value) => {
    const validate = ajv.getSchema(`description#/components/schemas/${component}`)
    if (validate === undefined) throw new Error(`The description has no schema ${component}.`)
    return validate(value) === true ? undefined : ajv.errorsText(validate.errors)
  }
}
