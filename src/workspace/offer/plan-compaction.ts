import { foundTools } from '../../engine/standing/found-tools.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import { tellAnew } from '../../engine/evolve/tell-anew.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import { rulesSection } from '../../render/prompt/sections/rules-section.ts'
import { sectionHash } from '../../render/prompt/forms/section-hash.ts'
import { definitionTokens, sectionTokens } from '../../render/prompt/ledger/token-prices.ts'
import { writeSection } from '../../render/prompt/forms/write-prompt.ts'
import { rulesFor, type RulesToTell } from '../../search/rules.ts'
import type { PlannedCompaction } from './compaction.ts'
import { listedFor } from './listed-for.ts'
import type { PromptRequest } from './prompt-request.ts'
import type { SessionParts } from './session-parts.ts'
import { workspaceDocument } from './workspace-document.ts'
import type { StepSection } from './workspace-step.ts'

/** Gather what a summarised history must not lose, from the state alone. */
export function planCompaction(
  state: WorkspaceState,
  { surroundings, counter, exposure }: SessionParts,
  variables: VariableScope | undefined,
  request: PromptRequest,
): PlannedCompaction {
  const { format = 'markdown' } = request
  const listed = listedFor(exposure.strategy, request)
  const seq = state.seq + 1
  const summarised = { ...state, ...tellAnew(state, seq), summarisedAt: seq }
  const document = workspaceDocument(summarised, surroundings, counter, variables, listed)
  const own = document.sections.filter(({ placement }) => placement === 'conversation')
  const rules = rulesAgain(state, surroundings)
  const again = [...own, rulesSection(rules.text)].filter((section) => section !== null)
  const sections = again.map((section): StepSection => {
    const { id, title } = section
    return { id, title, text: writeSection(section, format) }
  })
  const references = (state.exposed ?? []).filter(({ referenced }) => referenced === true)
  const tokens = [
    ...again.map((section) => sectionTokens(section, counter, format)),
    ...references.map(({ name, hash }) => {
      const tool = surroundings.tool(hash)
      return tool === undefined ? 0 : definitionTokens(tool, counter, name)
    }),
  ]
  return {
    sections,
    text: sections.map(({ text }) => text).join(''),
    data: {
      skills: state.open.flatMap(({ source, owner, definition }) =>
        source === 'skill' ? { name: owner, digest: definition } : [],
      ),
      exposed: state.exposed,
      references: references.map(({ name }) => name),
      memory: state.memory,
      rules: rules.topics,
    },
    sent: own.map((section) => ({ id: section.id, hash: sectionHash(section, format) })),
    tokens: tokens.reduce((sum, one) => sum + one, 0),
  }
}

/**
 * The rules the model was told, in the words of now. Those of tools that cannot be called now are
 * left out, and so are rules that changed: the search that finds such a tool tells them anew.
 */
function rulesAgain(state: WorkspaceState, surroundings: Surroundings): RulesToTell {
  const tools = [...foundTools(state, surroundings), ...toolTable(state, surroundings).available]
  const told = new Set(state.rulesSent.map(({ topic, hash }) => `${topic} ${hash}`))
  const { topics } = rulesFor(surroundings.catalog, tools, [])
  const never = topics.filter(({ topic, hash }) => !told.has(`${topic} ${hash}`))
  return rulesFor(surroundings.catalog, tools, never)
}
