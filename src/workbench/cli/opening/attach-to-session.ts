import {
  createCatalog,
  defineAgent,
  recordedOptions,
  VirtualWorkspace,
} from '../../../entries/index.ts'
import { o200kCounter } from '../../../entries/plan.ts'
import { serialQueue } from '../../../entries/kit.ts'
import type { OpenLog } from './open-log.ts'
import type { OpenSession } from './open-session.ts'
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

/**
 * Opens the session of another agent again each time that its file has more of it. Returns a function that stops it.
 *
 * @param show gets the session that is open now; an error says why there is none
 */
export async function followObserved(
  { workspace, options }: Pick<OpenSession, 'workspace' | 'options'>,
  show: (now: VirtualWorkspace | Error) => Promise<void>,
): Promise<() => Promise<void>> {
  const { session } = workspace
  const { log } = options
  const inOrder = serialQueue()
  const open = async () => {
    const stored = await log.read(session)
    return VirtualWorkspace.open({
      ...options,
      catalog: await createCatalog({}),
      ...(await recordedOptions(log, stored)),
      session,
      readOnly: true,
    })
  }
  let waiting: Promise<void> | null = null
  // Any number of changes while it is opened lead to one more opening.
  const onChange = () => {
    waiting ??= inOrder(async () => {
      waiting = null
      await show(await open().catch((error: Error) => error))
    })
  }
  return (await log.follow?.(session, onChange)) ?? (async () => undefined)
}
