/** What is served after data was loaded. */
export interface LoadedData {
  /** Names of the tables. */
  tables: string[]
  /** Number of records by table. */
  records: Record<string, number>
  /** What of the data has no effect, in words. */
  notices: string[]
}
