import type { OptionRow } from './run-options.ts'

/** `ready-file` is `readyFile`, as the parser of the command line names it. */
type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

/** Of `--port <number>`: `port`. */
type NameIn<Flags extends string> = Flags extends `--${infer Name} ${string}`
  ? Name
  : Flags extends `--${infer Name}`
    ? Name
    : never
type NameOf<Row extends OptionRow> = NameIn<Row['flags']>
type RowNamed<Row extends OptionRow, Name extends string> = Extract<
  Row,
  { flags: `--${Name}` | `--${Name} ${string}` }
>

/** What its parser returns; without one a string, or true for a switch. */
type ValueOf<Row extends OptionRow> = Row extends { parse: (...given: never[]) => infer Value }
  ? Value
  : Row['flags'] extends `${string}<${string}`
    ? string
    : boolean

type Off = `no-${string}`

/** The parsed options of a command, from the rows that declare them. `--no-console` is `console`, true unless given. */
export type FlagsOf<Rows extends readonly OptionRow[]> = {
  [Name in Exclude<NameOf<Rows[number]>, Off> as Camel<Name>]?: ValueOf<RowNamed<Rows[number], Name>>
} & {
  [Name in Extract<NameOf<Rows[number]>, Off> as Name extends `no-${infer Own}` ? Camel<Own> : never]: boolean
}
