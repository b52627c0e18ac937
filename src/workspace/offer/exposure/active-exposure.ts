import type { ExposureStrategy } from '../../log/ports.ts'
import { wantedTools } from './wanted-tools.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * Send just what is available, in the order of the tool table, and what was found. The shortest
 * request there is; a tool that comes or goes costs the prefix from its place on.
 */
export const activeExposure: ExposureStrategy = {
  name: 'active',
  plan: (request) => ({ tools: wantedTools(request), deferred: NONE }),
}
