/**
 * The field type `text` (contract-records 3.2), and with `primaryKey` the type of every `id` (3.8).
 *
 * @module
 */

import type { FieldCheckContext, FieldError, Value } from '../vocabulary.ts'
import { runeCount, toText } from './cast.ts'
import { textColumn } from './columns.ts'
import { compileGenerator } from './compile-generator.ts'
import { fieldError, invalidFormat, required } from './field-error.ts'
import { inventText } from './invent-text.ts'
import type { Complete, DefinitionProblems, FieldKind } from './kind.ts'
import { below, invalidPattern, negative } from './option-error.ts'
import { compilePattern } from './pattern.ts'
import { checkRecordId } from './record-id.ts'
import { textForm } from './value-form.ts'

const defaultMax = 5000

/** Plain text, counted in code points. Record ids are text fields too. */
export const textKind: FieldKind<'text'> = {
  defaults: {
    help: '',
    required: false,
    min: 0,
    max: 0,
    pattern: '',
    autogeneratePattern: '',
    primaryKey: false,
  },
  column: textColumn,
  inspect(definition) {
    const { min, max, pattern } = definition
    const problems: DefinitionProblems = {
      ...invalidPattern(pattern),
      ...(max !== 0 && max < min && { max: below(min) }),
      ...negative({ min, max }),
    }
    return { ...generatorProblem(definition, problems), ...problems }
  },
  bind({ definition }) {
    const checkText = textCheck(definition)
    const { autogeneratePattern } = definition
    const generate = compileGenerator(autogeneratePattern)
    return {
      zero: '',
      accept: toText,
      // Without a pattern the modifier sets the sent value and adds nothing.
      modifiers: { autogenerate: (_base, input, environment) => toText(input) + generate(environment) },
      check: definition.primaryKey
        ? (value, context) =>
            checkId(definition, value, context) ?? (isNew(context) ? checkText(value) : undefined)
        : checkText,
      render: toText,
      generate: autogeneratePattern === '' ? undefined : generate,
    }
  },
  invent: (field, making) =>
    field.definition.primaryKey || field.definition.autogeneratePattern
      ? undefined
      : inventText(field, making),
  form: textForm,
  // Any string is text unless another type claims it.
  infers: () => false,
  control: ({ primaryKey }) => (primaryKey ? { as: 'line', mono: true } : { as: 'lines' }),
}

function textCheck(definition: Complete<'text'>): (value: Value) => FieldError | undefined {
  const { min } = definition
  const max = definition.max || defaultMax
  const pattern = definition.pattern === '' ? undefined : compilePattern(definition.pattern)
  return (value) => {
    const text = toText(value)
    if (text === '') return definition.required ? required : undefined
    const length = runeCount(text, Math.max(min, max))
    if (length < min) {
      return fieldError('validation_min_text_constraint', `Must be at least ${min} character(s).`, { min })
    }
    if (length > max) {
      return fieldError('validation_max_text_constraint', `Must be no more than ${max} character(s).`, {
        max,
      })
    }
    return pattern && !pattern.test(text) ? invalidFormat : undefined
  }
}

/** An id that is already stored may have another form, for example after an import. It is only checked for changes. */
function isNew({ stored, planted }: FieldCheckContext): boolean {
  return stored === undefined || planted === true
}

function checkId(
  definition: Complete<'text'>,
  value: Value,
  context: FieldCheckContext,
): FieldError | undefined {
  return checkRecordId(toText(value), definition.pattern, context)
}

/** Tries the pattern: a generated value must pass the field's own check. */
function generatorProblem(definition: Complete<'text'>, problems: DefinitionProblems): DefinitionProblems {
  const { autogeneratePattern } = definition
  if (autogeneratePattern === '' || Object.values(problems).some(Boolean)) return {}
  try {
    const sample = compileGenerator(autogeneratePattern)({
      random: (alphabet, length) => alphabet.slice(-1).repeat(length),
    })
    if (!textCheck(definition)(sample)) return {}
    return {
      autogeneratePattern: fieldError(
        'validation_invalid_autogenerate_pattern_value',
        `The provided autogenerate pattern could produce invalid field values, ex.: "${sample}".`,
      ),
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { autogeneratePattern: fieldError('validation_invalid_autogenerate_pattern', message) }
  }
}
