import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import type { Agent } from '../../skills/definition/agent.ts'
import { foreignBody } from './document/foreign-body.ts'
import { identityMemo } from './document/identity-memo.ts'
import { newSection, unknownVariables } from './document/new-section.ts'
import type { PromptBlock, PromptSection } from './document/prompt-document.ts'
import { SECTION_TITLE } from './document/section-title.ts'

const kept = identityMemo<PromptSection | null>()

/** The agent's base prompt, and today's date when the caller tells it; null when both are missing. */
export function agentPromptSection(
  agent: Agent,
  scopes: readonly VariableScope[],
  date: string | undefined,
): PromptSection | null {
  return kept([agent, ...scopes], date ?? '', () => {
    const { block, used, unknown } = foreignBody(agent.prompt, scopes, true)
    const today: PromptBlock | undefined =
      date === undefined ? undefined : { kind: 'prose', text: `Today is ${sanitiseLine(date)}.` }
    if (block === undefined && today === undefined) return null
    return newSection({
      kind: 'agent-prompt',
      id: 'agent-prompt',
      title: SECTION_TITLE.agentPrompt,
      source: 'agent',
      owner: agent.name,
      stability: today === undefined && used.length === 0 ? 'static' : 'session',
      blocks: [block, today],
      notes: unknownVariables('agent-prompt', unknown),
      variables: used,
    })
  })
}
