import type { TextDefinition } from '../../spec/table-definition.ts'
import type { FieldError, Value } from '../vocabulary.ts'
import { runeCount, toText } from './cast.ts'
import { fieldError, required } from './field-error.ts'
import { compileGenerator } from './generate-pattern.ts'
import type { CheckContext, Complete, DefinitionProblems, FieldKind, Modify } from './kind.ts'
import { below, invalidPattern, negative } from './option-error.ts'
import { compilePattern } from './pattern.ts'
import { checkRecordId } from './record-id.ts'

const defaultMax = 5000
const invalidFormat = fieldError('validation_invalid_format', 'Invalid value format.')

/** Plain text, counted in code points. The record id is one too. */
export const textKind: FieldKind<TextDefinition> = {
  type: 'text',
  defaults: {
    help: '',
    required: false,
    min: 0,
    max: 0,
    pattern: '',
    autogeneratePattern: '',
    primaryKey: false,
  },
  multiple: () => false,
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
    return {
      zero: '',
      accept: toText,
      modifiers: generator(definition),
      check: definition.primaryKey
        ? (value, context) => checkId(definition, value, context) ?? checkText(value)
        : checkText,
      render: toText,
    }
  },
}

function textCheck(definition: Complete<TextDefinition>): (value: Value) => FieldError | undefined {
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

function checkId(
  definition: Complete<TextDefinition>,
  value: Value,
  context: CheckContext,
): FieldError | undefined {
  return checkRecordId(toText(value), definition.pattern, context)
}

/** Without a pattern the modifier sets what was sent and adds nothing. */
function generator({ autogeneratePattern }: Complete<TextDefinition>): { autogenerate: Modify } {
  const generate = compileGenerator(autogeneratePattern)
  return { autogenerate: (_base, input, environment) => toText(input) + generate(environment) }
}

/** Tries the pattern out: what it makes has to pass the field's own check. */
function generatorProblem(
  definition: Complete<TextDefinition>,
  problems: DefinitionProblems,
): DefinitionProblems {
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
