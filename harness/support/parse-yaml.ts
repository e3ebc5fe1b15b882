import { parse } from 'yaml'
import { syntaxMistake } from './syntax-mistake.ts'

/**
 * The content of a YAML or JSON file that the tester wrote.
 *
 * @param what as in "the target file"
 * @param place file as it was given, perhaps after its flag
 * @throws ConfigurationError with line and column
 */
export function parseYaml(what: string, place: string, text: string): unknown {
  try {
    // What is wrong with the content is said where it is read.
    return parse(text, { logLevel: 'error' })
  } catch (error) {
    throw syntaxMistake(what, place, text, error)
  }
}
