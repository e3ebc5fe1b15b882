/**
 * What the console page asks for. For pages of this server on this machine only.
 *
 * @module
 */

import { packageFacts } from '../../harness/package-facts.ts'
import type { KeyAction } from '../../reference/vocabulary.ts'
import { quoted } from '../../spec/nearest.ts'
import { AskedWrongly, answer, readObject, textsOf } from '../answer.ts'
import { listedMail } from '../list-mail.ts'
import { summaryOf } from '../logged-exchange.ts'
import { mintToken } from '../mint-token.ts'
import type { Serving } from '../serving.ts'
import { describeTable, listTables } from './describe-tables.ts'
import { eventStream } from './event-stream.ts'
import { askInside } from './inside-app.ts'

/** @param path after `/_/api/`, decoded: `tables/posts` is `['tables', 'posts']`. @throws AskedWrongly */
export async function answerConsole(
  serving: Serving,
  request: Request,
  path: readonly string[],
): Promise<Response> {
  const { reference, exchanges, clock } = serving
  const [topic = '', name = '', part = '', id = ''] = path
  const body = () => readObject(request)
  switch (`${request.method} ${topic}${name && '/…'}${part && `/${part}`}${id && '/…'}`) {
    case 'GET facts':
      return answer({ ...packageFactsShown(), prefix: serving.prefix, url: serving.url, seed: serving.seed })
    case 'GET events':
      return eventStream(serving)
    case 'GET tables':
      return answer(listTables(reference))
    case 'GET tables/…':
      return answer(found(describeTable(reference, name), `There is no table ${quoted(name)}.`))
    case 'GET tables/…/records':
    case 'POST tables/…/records':
      return askInside(reference, request, recordsOf(name) + new URL(request.url).search)
    case 'GET tables/…/records/…':
    case 'PATCH tables/…/records/…':
    case 'DELETE tables/…/records/…':
      return askInside(reference, request, `${recordsOf(name)}/${encodeURIComponent(id)}`)
    case 'POST token':
      return answer(await mintToken(reference, await body()))
    case 'GET mail':
      return answer(reference.mail.outbox.map(listedMail))
    case 'DELETE mail':
      reference.mail.clear()
      return answer(undefined)
    case 'GET requests':
      return answer({ requests: exchanges.list().map(summaryOf), notRecorded: exchanges.notRecorded })
    case 'GET requests/…':
      return answer(found(exchanges.get(Number(name)), 'This request is no longer kept.'))
    case 'DELETE requests':
      exchanges.clear()
      return answer(undefined)
    case 'GET keys':
      return answer(reference.apiKeys.list())
    case 'POST keys': {
      const asked = await body()
      const [tables, actions] = [textsOf(asked, 'tables'), textsOf(asked, 'actions') as KeyAction[]]
      return answer(await reference.apiKeys.create({ name: String(asked.name ?? ''), tables, actions }))
    }
    case 'DELETE keys/…':
      found((await reference.apiKeys.revoke(name)) || undefined, 'There is no API key with this id.')
      return answer(undefined)
    case 'GET clock':
      return answer(clock.facts())
    case 'POST clock':
      return answer(clock.command(await body()))
    case 'POST reset':
      serving.reset()
      return answer(undefined)
    default:
      throw new AskedWrongly(`Unknown console request ${quoted(`${request.method} ${path.join('/')}`)}.`, 404)
  }
}

const recordsOf = (table: string) => `/collections/${encodeURIComponent(table)}/records`

/** @throws AskedWrongly 404 */
function found<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new AskedWrongly(message, 404)
  return value
}

function packageFactsShown() {
  const { name, version } = packageFacts()
  return { name, version }
}
