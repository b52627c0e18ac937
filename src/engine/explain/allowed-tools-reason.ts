import { allowedListOf } from '../standing/allowed-lists.ts'
import type { OpenSource } from '../model/source-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import type { Reason } from './reason.ts'

/** What the `allowed-tools` of an active skill come to; nothing for a skill that has none. */
export function allowedToolsReason(
  { owner, since }: Pick<OpenSource, 'owner' | 'since'>,
  { policy, policySince }: Pick<WorkspaceState, 'policy' | 'policySince'>,
  { catalog }: Pick<Surroundings, 'catalog'>,
): readonly Reason[] {
  const tools = allowedListOf(owner, catalog)?.tools ?? []
  if (tools.length === 0) return []
  const texts = (some: typeof tools) => some.map(({ text }) => text).join(', ')
  const seq = Math.max(since, policySince)
  switch (policy.allowedTools) {
    case 'ignore':
      return [{ seq, text: `Its allowed-tools have no effect here: ${texts(tools)}.` }]
    case 'restrict':
      return [{ seq, text: `While it is active, calls are restricted to: ${texts(tools)}.` }]
    case 'pre-approve': {
      const plain = tools.filter(({ argument }) => argument === null)
      const bound = tools.filter(({ argument }) => argument !== null)
      const parts = [
        plain.length > 0 && `Its allowed-tools are approved beforehand: ${texts(plain)}.`,
        bound.length > 0 && `Named with arguments, which approves nothing: ${texts(bound)}.`,
      ]
      return [{ seq, text: parts.filter((part) => part !== false).join(' ') }]
    }
  }
}
