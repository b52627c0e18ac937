import {
  createCatalog,
  defineAgent,
  recordedOptions,
  VirtualWorkspace,
} from '../../../entries/index.ts'
import { o200kCounter } from '../../../entries/plan.ts'
import type { OpenLog } from './open-log.ts'
import { readStoredSession } from './read-stored-session.ts'

/** Attaches to the session of a host with what its log has, which is enough to answer its questions. */
export async function attachToSession(open: OpenLog, session: string): Promise<VirtualWorkspace> {
  // Its host knows what it allows, and this process makes no calls.
  const { log, entries } = await readStoredSession(open, session, open.recorded)
  const counter = await o200kCounter()
  const opening = entries[0]?.event
  const {
    agent = null,
    principal = null,
    tokenizer = counter.name,
  } = opening?.type === 'session.opened' ? opening : {}
  return VirtualWorkspace.open({
    catalog: await createCatalog({}),
    ...(agent !== null && { agent: defineAgent({ name: agent }) }),
    ...(await recordedOptions(log, entries)),
    log,
    session,
    ...(principal !== null && { principal: { id: principal } }),
    // An answer counts nothing, and the session keeps its tokenizer.
    tokenCounter: { name: tokenizer, count: (text) => counter.count(text) },
    policy: { onResume: 'tighten' },
  })
}
