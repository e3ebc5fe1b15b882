import { closed } from './closed.ts'
import { documents } from './documents.ts'
import { minimal } from './minimal.ts'
import { normalizing } from './normalizing.ts'
import type { LawfulServer } from './server.ts'
import { sql } from './sql.ts'
import { strict } from './strict.ts'

/** All lawful servers, in the order in which they are reported. */
export const lawfulServers: readonly LawfulServer[] = [sql, documents, strict, normalizing, closed, minimal]
