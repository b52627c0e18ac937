import { activeSkills } from '../../engine/standing/assess-skill.ts'
import { availableSkillTools, toolsOfSkill } from '../../engine/standing/tool-table.ts'
import type { ModeTable } from '../../engine/model/modes.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import type { DeskParts } from '../calls/desk-parts.ts'
import type { SessionJournal } from '../commands/session-journal.ts'
import type { Discovery } from './discovery/discovery-options.ts'
import type { ChosenExposure } from './exposure/plan-exposure.ts'

/** Returns the functions that read the skills of a session, and their tools, at each call. */
export function skillSources({ store, context }: SessionJournal) {
  const state = () => store.getState().state
  return {
    skills: () => context.catalog.skills,
    toolsOf: (skill: string) => toolsOfSkill(state(), context, skill),
    active: () => activeSkills(state()),
    available: () => availableSkillTools(state(), context),
  }
}

/** All the parts of one open session: its journal, its desk of calls, and what its steps offer a model. */
export interface SessionParts extends DeskParts {
  /** Follows the adapter and the model of the last step. */
  exposure: ChosenExposure
  /** The settings of search; null for a session that shows all of its tools. */
  readonly discovery: Discovery | null
  /** Variables of the prompt. */
  readonly variables: VariableScope | undefined
  /** The most tokens of the list of skills in a prompt, unless a request gives its own. */
  readonly catalogBudget: number
  /** The modes the host defines. */
  readonly modes: ModeTable
}
