import type { SessionJournal } from '../commands/session-journal.ts'
import type { ChildSession } from '../../engine/model/child-event.ts'
import type { Spending } from '../../engine/model/step-cost.ts'
import type { ReportedState } from '../../engine/model/provider-report.ts'
import type { OptionsOf } from '../../kernel/check-options.ts'
import * as z from 'zod'
import type { Panel, ToolComponent } from '../../components/define-component.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import { isMeta } from '../../engine/model/source-event.ts'
import type { PromptChoices, SentSection } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { foundTools } from '../../engine/standing/findable-tools.ts'
import { activeSkills } from '../../engine/standing/assess-skill.ts'
import type { ToolStatus } from '../../engine/standing/tool-status.ts'
import { availableSkillTools, toolTable } from '../../engine/standing/tool-table.ts'
import { type ContentHash, textHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { sameItems } from '../../kernel/identity-memo.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { buildPromptDocument } from '../../render/prompt/build-prompt-document.ts'
import {
  type PromptDocument,
  redactDocument,
} from '../../render/prompt/document/prompt-document.ts'
import {
  type ComponentPanel,
  DEFAULT_PROMPT_OPTIONS,
  type PromptOptions,
} from '../../render/prompt/document/prompt-input.ts'
import { type PromptFormat, writePrompt } from '../../render/prompt/forms/write-prompt.ts'
import {
  promptLedger,
  type PromptLedger,
  type RemovalEstimate,
  removalEstimates,
  type StepLedger,
  stepLedger,
} from '../../render/prompt/ledger/prompt-ledger.ts'
import {
  type RenderOptions,
  renderSkillsSection,
  renderSkillToolsSection,
} from '../../render/prompt/sections/render-tool-section.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import { sanitiseText } from '../../kernel/sanitise-text.ts'
import { withdrawableTexts, type WithdrawableText } from './conversation/withdraw-texts.ts'
import type { ExposureStrategy } from './exposure/exposure-strategy.ts'
import { currentExposure, type ExposurePrice } from './exposure/plan-exposure.ts'
import { type StepUsage, stepUsage } from './exposure/step-usage.ts'
import type { SessionParts } from './session-parts.ts'

/** Builds the prompt document of a state, for previews and adapters alike. */
export function workspaceDocument(
  state: WorkspaceState,
  { context, counter, definitions, exposure, variables: scope, catalogBudget }: SessionParts,
  { format: _format, variables, ...options }: PromptRequest,
  strategy: ExposureStrategy = currentExposure(state, exposure).strategy,
): PromptDocument {
  const { catalog, agent } = context
  if (state.opening?.observed) {
    return observedDocument(state.sections, (hash) => definitions.text(hash))
  }
  const { rows } = toolTable(state, context)
  // No section names a meta-tool that no call may be made of.
  const isOff = (status: ToolStatus) => status === 'denied' || status === 'disabled'
  const meta = rows.filter(({ owner, status }) => isMeta(owner) && !isOff(status))
  const document = buildPromptDocument({
    catalog,
    agent,
    state,
    tools: rows,
    components: panels(state, context),
    variables: [scope, variables].filter((one) => one !== undefined),
    counter,
    options: {
      catalogBudget,
      // Tools that are called through a bridge are listed with their arguments.
      ...(strategy.bridges === true && { schemasInRequest: 'meta-tools' }),
      ...options,
      metaTools: meta.map(({ claim }) => claim.name),
    },
    searches: context.discovery !== undefined,
    namesFor: context.namesFor,
    found: foundTools(state, context),
  })
  const { redactor } = context
  return redactor === undefined ? document : redactDocument(document, redactor)
}

/**
 * Returns the prompt of an agent that is not built on Loadout: the texts that it showed its model, in its order. The first
 * is its instructions, and the others are in the conversation.
 */
function observedDocument(
  shown: readonly SentSection[],
  textOf: (hash: ContentHash) => string | undefined,
): PromptDocument {
  const sections = shown.map(({ id, title = id, hash }) => ({
    kind: 'agent-prompt' as const,
    id,
    title,
    source: 'agent' as const,
    owner: 'agent',
    stability: 'step' as const,
    placement: id.startsWith('system-') ? ('instructions' as const) : ('conversation' as const),
    blocks: [{ kind: 'body' as const, text: sanitiseText(textOf(hash) ?? ''), plain: true }],
    children: [],
    notes: [],
    variables: [],
  }))
  return { sections, notes: [], variables: [] }
}

/** Drawn panels, and the components that drew them: another build of a component draws again. */
interface DrawnPanels {
  readonly by: readonly (ToolComponent | undefined)[]
  readonly panels: readonly ComponentPanel[]
}

const panelCache = new WeakMap<WorkspaceState['components'], DrawnPanels>()

/** Draws the panels of the registered components by priority, once for the states they show. */
function panels(state: WorkspaceState, context: EngineContext): readonly ComponentPanel[] {
  const by = state.components.map(({ key }) => context.component(key))
  const known = panelCache.get(state.components)
  if (known && sameItems(known.by, by)) return known.panels
  const made = state.components
    .flatMap(({ state: own }, index) => {
      const component = by[index]
      return component ? [{ component, own }] : []
    })
    .sort((a, b) => a.component.priority - b.component.priority)
    .map(({ component, own }): ComponentPanel => {
      const { key, displayName } = component
      return { key, displayName, panel: panel(component, own) }
    })
  panelCache.set(state.components, { by, panels: made })
  return made
}

/** Draws a component's panel. One that throws, or is not valid, is replaced by a message. */
function panel(component: ToolComponent, state: JsonValue): Panel {
  try {
    const drawn = plainPanel.safeParse(component.panel(state))
    return drawn.success ? drawn.data : notDrawn(component, NOT_A_PANEL)
  } catch (error) {
    return notDrawn(component, thrownMessage(error))
  }
}

function notDrawn({ displayName }: ToolComponent, why: string): Panel {
  return { title: displayName, lines: [`This panel could not be drawn: ${why}`] }
}

/** Checked at run time, too: plain JavaScript, or a restored state, may not match the type. */
const plainPanel = z.object({ title: z.string(), lines: z.array(z.string()) })

const NOT_A_PANEL = 'it is not { title, lines } with a list of texts.'

/** Options of a prompt. */
export interface PromptRequest extends Partial<Omit<PromptOptions, 'metaTools'>> {
  /** `markdown` when absent: what adapters send. */
  readonly format?: PromptFormat
  /** Variables of this call; they override those of the workspace. */
  readonly variables?: VariableScope
}

export const PROMPT_OPTIONS: OptionsOf<PromptRequest> = {
  includeInitialSkills: true,
  includeSkillCatalog: true,
  includeLoadedSkills: true,
  includeAvailableTools: true,
  includeWorkingMemory: true,
  schemasInRequest: true,
  historyIsCut: true,
  catalogBudget: true,
  date: true,
  format: ['markdown', 'xml', 'text'],
  variables: true,
}

/** Returns the options of a prompt that differ from the defaults and from the options of the session, for the log. */
export function promptChoices(
  given: PromptRequest,
  { catalogBudget }: Pick<SessionParts, 'catalogBudget'>,
): PromptChoices {
  const { variables: _, ...request } = given
  const usual: Readonly<Record<string, unknown>> = {
    ...DEFAULT_PROMPT_OPTIONS,
    format: 'markdown',
    catalogBudget,
  }
  const chosen = Object.entries(request).filter(([name, value]) => {
    const isKnown = name === 'date' || Object.hasOwn(usual, name)
    return isKnown && value !== undefined && value !== usual[name]
  })
  return Object.fromEntries(chosen) as PromptChoices
}

/** The prompt at one moment, in one format. Tokens are counted on demand. */
export class WorkspacePrompt {
  readonly document: PromptDocument
  readonly format: PromptFormat
  readonly #counter: TokenCounter

  constructor(document: PromptDocument, format: PromptFormat, counter: TokenCounter) {
    this.document = document
    this.format = format
    this.#counter = counter
  }

  /** The complete prompt: the instructions, then the conversation part. */
  get text(): string {
    return writePrompt(this.document, { format: this.format })
  }

  /** The part that stays the same while skills are activated and deactivated. */
  get instructions(): string {
    return writePrompt(this.document, { format: this.format, placement: 'instructions' })
  }

  /** The part that goes to the end of the conversation when it changes. */
  get conversation(): string {
    return writePrompt(this.document, { format: this.format, placement: 'conversation' })
  }

  /** The hash of the text: equal hashes mean equal bytes. */
  get hash(): ContentHash {
    return textHash(this.text)
  }

  /** Tokens by section, source, skill and tool, in the tokenizer of the session. */
  get ledger(): PromptLedger {
    return promptLedger(this.document, this.#counter, this.format)
  }
}

/** The costs of a session: its current prompt, its last request, and each possible removal. */
export interface WorkspaceLedger extends PromptLedger {
  readonly exposure: {
    readonly strategy: string
    readonly provider: string
    /** The family of models whose facts were used; absent for facts of all of the provider's models. */
    readonly family?: string
    /** The reason for this strategy, for people. */
    readonly why: string
    /** The strategies that the planner compared, cheapest first; empty when the host, or another process, chose. */
    readonly prices: readonly ExposurePrice[]
  }
  /** Null before the first step. */
  readonly lastStep: StepLedger | null
  /** All requests so far, those of child sessions included. */
  readonly spent: {
    readonly own: Spending
    /** The open children, and those that ended last. */
    readonly children: readonly (Pick<ChildSession, 'session' | 'agent' | 'isOpen'> & {
      readonly spent: Spending
    })[]
    readonly total: Spending
  }
  /** The reports of providers, next to the costs of the same requests. */
  readonly reported: Pick<ReportedState['reported'], 'steps' | 'total' | 'predicted'> & {
    /** The last request with a report; null before the first. */
    readonly last: StepUsage | null
  }
  readonly removals: readonly RemovalEstimate[]
  /** The texts that the conversation still has although they no longer apply. A step withdraws them once that is free. */
  readonly withdrawable: readonly WithdrawableText[]
}

/** Returns the costs of a session, given those of its current prompt. */
export function workspaceLedger(
  prompt: PromptLedger,
  { store, context, counter, exposure, children }: SessionParts,
): WorkspaceLedger {
  const { state } = store.getState()
  const { strategy, provider, why, prices } = currentExposure(state, exposure)
  const { last, before, steps, total, predicted } = state.reported
  return {
    ...prompt,
    exposure: {
      strategy: strategy.name,
      provider: provider.name,
      ...(provider.family !== undefined && { family: provider.family }),
      why,
      prices,
    },
    lastStep: stepLedger(state, context, counter),
    spent: {
      own: state.spent,
      children: state.children.map((child) => {
        const { session, agent, isOpen } = child
        return { session, agent, isOpen, spent: children.spentBy(child) }
      }),
      total: children.total(),
    },
    reported: {
      last: last && stepUsage(last, before, provider),
      steps,
      total,
      predicted,
    },
    removals: removalEstimates(state, context, prompt),
    withdrawable: withdrawableTexts(state, provider),
  }
}

type BoxParts = Pick<SessionJournal, 'context' | 'store'>

/** Returns the skills of the catalog as boxed text, with the active ones marked; null when there is none. */
export function renderSkillsBox(
  { context: { catalog }, store }: BoxParts,
  options?: RenderOptions,
): string | null {
  const active = new Set(activeSkills(store.getState().state))
  const skills = [...catalog.skills.values()]
  const listed = skills.map((skill) => ({ ...skill, active: active.has(skill.name) }))
  return renderSkillsSection(listed, options)
}

/** Returns a `SKILL TOOLS` box for each active skill with available tools; null when there is none. */
export function renderSkillToolsBoxes(
  { context, store }: BoxParts,
  options?: RenderOptions,
): string | null {
  const available = availableSkillTools(store.getState().state, context)
  const boxes = [...available].flatMap(([skill, tools]) => {
    const displayName = context.catalog.skills.get(skill)?.displayName ?? skill
    return renderSkillToolsSection(displayName, tools, options) ?? []
  })
  return boxes.length === 0 ? null : boxes.join('')
}
