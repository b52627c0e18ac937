import type { ExposureStrategy } from '../../log/ports.ts'
import { wantedTools } from './wanted-tools.ts'
import { withLaterTools } from './with-later-tools.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * Only ever add tools, at the end, in the order they were first wanted. The tools of a request are
 * the beginning of the next one's; what a provider reads after the tools is read anew when one is
 * added.
 */
export const appendExposure: ExposureStrategy = {
  name: 'append',
  keepsGone: true,
  plan: (request) => ({ tools: withLaterTools(request, wantedTools(request)), deferred: NONE }),
}
