import { allowedListOf } from '../standing/allowed-lists.ts'
import type { WorkspaceEvent } from '../model/event.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { unmatchedAllowedTools } from '../standing/unmatched-allowed-tools.ts'

/**
 * What a host should know of the `allowed-tools` of a skill that becomes active: what has not the effect
 * the host chose. Nothing where they are ignored, since most skills name the tools of their clients.
 */
export function allowedToolsWarnings(
  skill: string,
  state: WorkspaceState,
  around: Surroundings,
): readonly WorkspaceEvent[] {
  const effect = state.policy.allowedTools
  const list = effect === 'ignore' ? null : allowedListOf(skill, around.catalog)
  if (list === null) return []
  const unmatched = unmatchedAllowedTools(list.tools, state, around)
  const bound =
    effect === 'pre-approve' ? list.tools.filter(({ argument }) => argument !== null) : []
  const warning = (code: string, message: string, hint: string): WorkspaceEvent => ({
    type: 'warning.given',
    code,
    subject: skill,
    message,
    hint,
  })
  const named = (tools: typeof list.tools) => tools.map(({ text }) => `"${text}"`).join(', ')
  return [
    ...(unmatched.length === 0
      ? []
      : [
          warning(
            'allowed-tools-unmatched',
            `The skill "${skill}" names in allowed-tools what no tool is called: ${named(unmatched)}.`,
            'Name tools as they are registered, or leave the entries out.',
          ),
        ]),
    ...(bound.length === 0
      ? []
      : [
          warning(
            'allowed-tools-with-arguments',
            `The skill "${skill}" names in allowed-tools tools with arguments, which pre-approve nothing: ${named(bound)}.`,
            'Write a rule of permissions with "where" for the calls that need not be asked about.',
          ),
        ]),
  ]
}
