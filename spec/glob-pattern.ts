import { escapePattern } from './escape-pattern.ts'

/** A pattern for a whole string in which each `*` stands for any characters: `list.*`. */
export function globPattern(glob: string): RegExp {
  return new RegExp(`^${glob.split('*').map(escapePattern).join('.*')}$`)
}
