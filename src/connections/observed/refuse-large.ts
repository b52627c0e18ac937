import { WorkspaceError } from '../../entries/index.ts'
import type { Budget } from '../../workspace/commands/budget.ts'

/** Counts what a transcript has. Throws `LOG_UNREADABLE` when it is too much. */
export function refuseLarge(budget: Budget, bytes: number, file = 'The transcript'): void {
  const over = budget.take(bytes)
  if (over === null) return
  throw new WorkspaceError('LOG_UNREADABLE', `${file} has ${over}: it is not read.`, {
    facts: { file },
    hint: 'Give another file.',
  })
}
