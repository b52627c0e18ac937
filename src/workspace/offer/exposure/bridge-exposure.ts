import type { ExposureStrategy } from '../../log/ports.ts'
import { wantedTools } from './wanted-tools.ts'
import { withLaterTools } from './with-later-tools.ts'

/** The meta-tool through which every other tool can be called. */
const BRIDGE = 'call_tool'

const NONE: ReadonlySet<string> = new Set()

/**
 * Send meta-tools and pinned tools, and nothing else: the others are called through `call_tool`,
 * so the tools of a request never change in a session.
 *
 * Without a `call_tool` that can be called there is no bridge. Then what is wanted is added at the
 * end, as `append` does, so that nothing that is available is out of reach.
 */
export const bridgeExposure: ExposureStrategy = {
  name: 'bridge',
  keepsGone: true,
  bridges: true,
  plan(request) {
    const { available, pinned } = request
    const isCrossed = available.some(({ name }) => name === BRIDGE)
    const sent = isCrossed ? available.filter(({ name }) => pinned.has(name)) : wantedTools(request)
    return { tools: withLaterTools(request, sent), deferred: NONE }
  },
}
