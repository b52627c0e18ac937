import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { OpeningNotice } from '../../workspace/open/opening-notice.ts'
import type { CliContext } from './cli-context.ts'
import { paint } from './paint.ts'

/** Tell on stderr what happened while a session opened: refused initial skills, changed ones. */
export function reportNotices(notices: readonly OpeningNotice[], context: CliContext): void {
  for (const { message, hint } of notices) {
    context.stderr.write(`${paint('warning', 'yellow', context)}: ${sanitiseLine(message)}\n`)
    if (hint !== '') context.stderr.write(`  ${sanitiseLine(hint)}\n`)
  }
}
