import type { Entry } from '../../engine/model/event.ts'
import { describeCause } from '../../engine/explain/describe-cause.ts'
import { describeEvent } from '../../engine/explain/describe-event.ts'

/** One entry of a log as a line: its number, its cause and what happened. Not yet sanitised. */
export function describeEntry({ seq, cause, event }: Entry): string {
  return `#${seq} ${describeCause(cause)}: ${describeEvent(event)}`
}
