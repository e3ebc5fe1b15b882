/** What is served after data was loaded. */
export interface LoadedData {
  /** Names of the tables. */
  tables: string[]
  /** Number of records by table. */
  records: Record<string, number>
  /** Messages about parts of the data that have no effect. */
  notices: string[]
}
