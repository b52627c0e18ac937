import type { Command } from '../../engine/model/command.ts'
import type { Outcome } from '../commands/outcome.ts'
import type { OpeningNotice } from './opening-notice.ts'

/**
 * Commands one after another; what each came to is handed back in. A tool whose name is taken
 * stays out, and its owner's others come in.
 */
export function* openingTurns(
  commands: readonly Command[],
): Generator<Command, readonly OpeningNotice[], Outcome> {
  const notices: OpeningNotice[] = []
  for (const command of commands) {
    let outcome = yield command
    if (outcome.ok && command.type === 'warning.give') notices.push(noticeOf(command))
    let rest = command
    while (!outcome.ok) {
      notices.push(outcome)
      const { tool } = outcome.facts
      if (rest.type !== 'source.register' || outcome.code !== 'tool-name-taken') break
      const tools = rest.tools.filter(({ name }) => name !== tool)
      if (tools.length === rest.tools.length) break
      rest = { ...rest, tools }
      outcome = yield rest
    }
  }
  return notices
}

function noticeOf({ code, message, hint }: OpeningNotice): OpeningNotice {
  return { code, message, hint }
}
