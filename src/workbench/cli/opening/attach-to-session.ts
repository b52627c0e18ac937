import type { OpenLog } from './open-log.ts'
import { readStoredSession } from './read-stored-session.ts'
import { createCatalog } from '../../../catalog/create/create-catalog.ts'
import { defineAgent } from '../../../skills/definition/define-agent.ts'
import { o200kCounter } from '../../../workspace/open/o200k-counter.ts'
import { recordedOptions } from '../../../workspace/open/recorded-options.ts'
import { VirtualWorkspace } from '../../../workspace/virtual-workspace.ts'

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
