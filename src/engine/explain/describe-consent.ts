import type { ConsentEvent } from '../model/consent-event.ts'
import type { OwnedTool } from '../model/owned-tool.ts'

/** What was agreed to, or taken back, in words. Not yet sanitised. */
export function describeConsent(event: ConsentEvent): string {
  switch (event.type) {
    case 'approval.remembered':
      return event.scope === 'session'
        ? `approval of ${named(event)} remembered for this session`
        : `approval of ${named(event)} remembered for this definition`
    case 'approval.recalled':
      return `approval of ${named(event)} recalled from another session`
    case 'approval.revoked':
      return `approval of ${named(event)} taken back`
    case 'tool.accepted':
      return `the changed tool ${named(event)} accepted`
    case 'call.abandoned':
      return `ABANDONED "${event.tool}": the process that ran it is gone (${event.call})`
  }
}

function named({ source, owner, tool }: OwnedTool): string {
  return source === 'global' ? `"${tool}"` : `"${tool}" of the ${source} "${owner}"`
}
