import type { ToolContext } from '../../../tools/definition/tool-context.ts'
import { ToolError } from '../../../tools/response/tool-error.ts'
import type { SearchHost } from '../discovery/search-host.ts'
import { isFlapping } from '../discovery/search-guard.ts'

/**
 * Fail, with an entry that says why, when a model would load a skill that it put away too often in
 * this turn: each time costs a hook, a changed prompt, and brings it no nearer to an answer.
 */
export async function assertNotFlapping(
  skill: string,
  host: Pick<SearchHost, 'state' | 'discovery' | 'record'>,
  call: ToolContext['call'],
): Promise<void> {
  if (!isFlapping(host.state(), skill, host.discovery.guard)) return
  await host.record(
    {
      type: 'search.end',
      search: call.id,
      query: skill,
      found: [],
      skills: [],
      confidence: 0,
      route: 'lexical',
      latencyMs: 0,
      stopped: 'flapping',
      degraded: null,
    },
    call,
  )
  throw new ToolError(
    'UNAVAILABLE',
    `Stop: the skill "${skill}" was loaded and put away again and again in this turn. Go on without it, or answer with what there is.`,
    { details: { code: 'flapping', skill } },
  )
}
