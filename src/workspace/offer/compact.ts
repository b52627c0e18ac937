import { memoryBaseline } from '../../engine/evolve/evolve-memory.ts'
import type { SentRules } from '../../engine/model/discovery-event.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { SentPart } from '../../engine/model/conversation-state.ts'
import type { ExposedTool } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { foundTools } from '../../engine/standing/findable-tools.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import { checkOptions } from '../../kernel/check-options.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { conversationParts, writeSection } from '../../render/prompt/forms/write-prompt.ts'
import { sectionTokens, sentToolTokens } from '../../render/prompt/ledger/section-tokens.ts'
import { rulesSection } from '../../render/prompt/sections/memory-section.ts'
import { rulesFor, type RulesToSend } from '../../search/rules-for.ts'
import type { StepSection } from './workspace-step.ts'
import type { SessionParts } from './session-parts.ts'
import { withdrawableTexts, type WithdrawableText } from './conversation/withdraw-texts.ts'
import { currentExposure } from './exposure/plan-exposure.ts'
import { PROMPT_OPTIONS, type PromptRequest, workspaceDocument } from './workspace-document.ts'

/** Logs that the history was summarised, and returns what the host must add again. */
export async function compact(parts: SessionParts, request: PromptRequest): Promise<Compaction> {
  checkOptions(request, PROMPT_OPTIONS)
  let planned: PlannedCompaction | undefined
  const outcome = await parts.dispatcher.dispatch(
    (state) => {
      planned = planCompaction(state, parts, request)
      const { sent, data, tokens } = planned
      return { type: 'session.compact', sections: sent, rules: data.rules, tokens, parts: sent }
    },
    { by: 'host' },
  )
  outcome.orThrow()
  const { sections, text, data } = planned as PlannedCompaction
  return { seq: outcome.seq, sections, text, data }
}

/** The content that must survive when a conversation is summarised. */
export interface Compaction {
  /** The log entry of the compaction. */
  readonly seq: number
  /**
   * Sections that a summary cannot replace: instructions of active skills, their tools, panels, working
   * memory, and the rules the model was sent. All are current.
   */
  readonly sections: readonly StepSection[]
  /** The sections as one text, to add once, at the start of what follows. */
  readonly text: string
  readonly data: CompactedFacts
}

/** The same content as data, for a host that keeps its own sessions. */
export interface CompactedFacts {
  /** Active skills with the digest of the definition they were activated with. */
  readonly skills: readonly { readonly name: string; readonly digest: ContentHash | null }[]
  /** The tools that the last step exposed; null before the first step. */
  readonly exposed: readonly ExposedTool[] | null
  /** Deferred tools that the conversation must refer to again. */
  readonly references: readonly string[]
  readonly memory: WorkspaceState['memory']
  readonly rules: readonly SentRules[]
  /** Texts that need not be summarised: they no longer apply. */
  readonly withdrawable: readonly WithdrawableText[]
}

/** A compaction before it is logged. */
interface PlannedCompaction extends Omit<Compaction, 'seq'> {
  /** The parts of the prompt in it. The next step treats them as sent. */
  readonly sent: readonly SentPart[]
  readonly tokens: number
}

/** Collects what a summarised history must not lose, from the state alone. */
function planCompaction(
  state: WorkspaceState,
  parts: SessionParts,
  request: PromptRequest,
): PlannedCompaction {
  const { format = 'markdown' } = request
  const { context, counter } = parts
  const seq = state.seq + 1
  const summarised = { ...state, ...memoryBaseline(state, seq), summarisedAt: seq }
  const document = workspaceDocument(summarised, parts, request)
  const own = document.sections.filter(({ placement }) => placement === 'conversation')
  const rules = rulesAlreadySent(state, context)
  const again = [...own, rulesSection(rules.text)].filter((section) => section !== null)
  const sections = again.map((section): StepSection => {
    const { id, title } = section
    return { id, title, text: writeSection(section, format) }
  })
  const references = (state.exposed ?? []).filter(({ referenced }) => referenced === true)
  const tokens = [
    ...again.map((section) => sectionTokens(section, counter, format)),
    ...references.map((one) => sentToolTokens(one, context, counter)),
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
      withdrawable: withdrawableTexts(state, currentExposure(state, parts.exposure).provider),
    },
    sent: conversationParts(document, format).map(({ id, title, hash }) => ({ id, title, hash })),
    tokens: tokens.reduce((sum, one) => sum + one, 0),
  }
}

/**
 * Returns the rules that the model was sent. Rules of tools that cannot be called now are left out, and so
 * are rules that changed: the search that finds such a tool sends them again.
 */
function rulesAlreadySent(state: WorkspaceState, context: EngineContext): RulesToSend {
  const tools = [...foundTools(state, context), ...toolTable(state, context).available]
  const sent = new Set(state.rulesSent.map(({ topic, hash }) => `${topic} ${hash}`))
  const { topics } = rulesFor(context.catalog, tools, [])
  const never = topics.filter(({ topic, hash }) => !sent.has(`${topic} ${hash}`))
  return rulesFor(context.catalog, tools, never, context.namesFor)
}
