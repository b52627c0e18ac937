import { type Policy, type PolicyOptions, WorkspaceError } from '../../../entries/index.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { LogChoice } from './choose-log.ts'
import type { CliContext, CliTerminal } from '../shell/cli-context.ts'
import type { OpeningOptions } from '../shell/opening-options.ts'
import { askPerson } from '../shell/ask-person.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/**
 * Returns the rules that a session is opened with. A stored session belongs to its host, so it keeps its
 * own, and those of the project only add to them. With `--policy replace` they take the place of the
 * session's: what that lifts is printed, and a person is asked.
 */
export async function settlePolicy(
  project: PolicyOptions,
  { stored, where }: Pick<LogChoice, 'stored' | 'where'>,
  options: Pick<OpeningOptions, 'policy' | 'lift' | 'mode'>,
  context: Pick<CliContext, 'stderr' | 'terminal'>,
): Promise<PolicyOptions> {
  const { policy: effect = 'keep', lift, mode } = options
  if (effect === 'keep' && lift === true) {
    throw wrongUsage('--lift needs --policy replace.', 'Leave out --lift, or add --policy replace.')
  }
  if (stored === null || (effect === 'keep' && mode === undefined)) return project
  const { fold } = await import('../../../engine/evolve/evolve.ts')
  const { policy: recorded } = fold(stored)
  if (effect === 'keep') {
    if (mode === recorded.mode) return project
    throw wrongUsage(
      `The session is in the mode "${recorded.mode}", and keeps it.`,
      'Leave out --mode, or replace the rules of the session: --policy replace.',
    )
  }
  if (where.readOnly === true) {
    throw wrongUsage(
      'The session is opened read-only.',
      'Leave out --policy replace, or give the folder of the agent if its skills are elsewhere.',
    )
  }
  const replaced: PolicyOptions = { ...project, onResume: 'replace' }
  const lifted = await rulesLifted(replaced, recorded)
  if (lifted.length === 0) {
    const none = Object.keys(project.permissions ?? {}).length === 0
    context.stderr.write(none ? NOTHING_TO_REPLACE : NOTHING_LIFTED)
    return replaced
  }
  const listed = lifted.map((text) => `- ${sanitiseLine(text)}`)
  context.stderr.write(['With the rules of this project, the session', ...listed, ''].join('\n'))
  if (lift !== true) await askToLift(context.terminal)
  return replaced
}

const NOTHING_TO_REPLACE =
  'This project has no permissions, so there is nothing to replace, and the session keeps its rules.\n'

const NOTHING_LIFTED = 'The rules of this project lift nothing of the session.\n'

async function rulesLifted(given: PolicyOptions, recorded: Policy): Promise<readonly string[]> {
  const [{ liftedRules }, { sessionPolicy }] = await Promise.all([
    import('../../../engine/explain/lifted-rules.ts'),
    import('../../../workspace/open/session-policy.ts'),
  ])
  const next = sessionPolicy(given, recorded)
  const changed = `runs in the mode "${next.mode}" instead of "${recorded.mode}"`
  return [...liftedRules(recorded, next), ...(next.mode === recorded.mode ? [] : [changed])]
}

/** Throws unless a person at the terminal agrees. */
async function askToLift(terminal: CliTerminal | undefined): Promise<void> {
  if (terminal === undefined) {
    throw wrongUsage('Lifting rules of a session has to be confirmed.', 'Confirm it with --lift.')
  }
  if (await askPerson('Replace the rules of the session? [y/N] ', terminal)) return
  throw new WorkspaceError('POLICY_KEPT', 'The session keeps its rules.', {
    hint: 'Without --policy replace, rules of this project are only added to them.',
  })
}
