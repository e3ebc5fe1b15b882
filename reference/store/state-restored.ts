/** The store went back to a snapshot while a transaction ran: what it wrote belongs to a state that is no more. */
export class StateRestored extends Error {
  override readonly name = 'StateRestored'

  constructor() {
    super('The state was restored while the request was under way: nothing of it was written.')
  }
}
