import type { Catalog } from '../catalog/create/catalog.ts'
import { assess } from '../engine/standing/assess.ts'
import type { Entry } from '../engine/model/event.ts'
import { explainSkill, explainTool, type Explanation } from '../engine/explain/explain-tool.ts'
import { listSkills, type SkillListing } from '../engine/standing/list-skills.ts'
import { listTools, type ToolListing } from '../engine/standing/list-tools.ts'
import { activeSkills, openSkill } from '../engine/standing/skill-standing.ts'
import type { WorkspaceState } from '../engine/model/state.ts'
import type { SkillStatus, ToolStatus } from '../engine/standing/status.ts'
import type { ToolSource } from '../engine/model/tool-source.ts'
import { toolTable } from '../engine/standing/tool-table.ts'
import type { VariableScope } from '../kernel/substitute-variables.ts'
import type { Tool } from '../tools/definition/tool.ts'
import {
  renderSkillsSection,
  renderSkillToolsSection,
  renderToolSection,
  type RenderOptions,
} from '../render/prompt/sections/render-tool-section.ts'
import { removalEstimates } from '../render/prompt/ledger/removal-estimates.ts'
import { stepLedger } from '../render/prompt/ledger/step-ledger.ts'
import type { ReadonlySessionStore } from './commands/session-store.ts'
import type { Agent } from '../skills/definition/agent.ts'
import { SkillManager } from '../skills/skill-manager.ts'
import { listedFor } from './offer/listed-for.ts'
import { planStep } from './offer/plan-step.ts'
import type { PromptRequest } from './offer/prompt-request.ts'
import { PromptView } from './offer/prompt-view.ts'
import type { SessionParts } from './offer/session-parts.ts'
import type { StepRequest } from './offer/step-request.ts'
import { workspaceDocument } from './offer/workspace-document.ts'
import type { WorkspaceLedger } from './offer/workspace-ledger.ts'
import type { StepPreview } from './offer/workspace-step.ts'

/**
 * The reading half of a workspace: in any order, and it never writes. Synchronous, but for what asks the
 * log or a strategy.
 */
export class WorkspaceReader {
  readonly #parts: SessionParts
  readonly #variables: VariableScope | undefined
  #skillManager: SkillManager | undefined

  constructor(parts: SessionParts, variables: VariableScope | undefined) {
    this.#parts = parts
    this.#variables = variables
  }

  /** Made when it is asked for: most sessions are never asked. */
  get skillManager(): SkillManager {
    this.#skillManager ??= new SkillManager({
      skills: this.catalog.skills,
      toolsOf: (skill) => this.#toolsOf(skill),
      active: () => activeSkills(this.state),
    })
    return this.#skillManager
  }

  get session(): string {
    return this.#parts.session
  }

  get catalog(): Catalog {
    return this.#parts.surroundings.catalog
  }

  get agent(): Agent | null {
    return this.#parts.surroundings.agent
  }

  /** `{ state, pending }` in a zustand vanilla store, for views with a selector. */
  get store(): ReadonlySessionStore {
    return this.#parts.store
  }

  get state(): WorkspaceState {
    return this.store.getState().state
  }

  /** The name of the tokenizer all counts of this session come from. */
  get tokenizer(): string {
    return this.#parts.counter.name
  }

  isToolAvailable(tool: string): boolean {
    return assess(this.state, this.#parts.surroundings, tool).status === 'available'
  }

  /** Whether a person is asked before any call of an available tool runs, whatever its arguments. */
  asksFirst(tool: string): boolean {
    const standing = assess(this.state, this.#parts.surroundings, tool)
    return standing.kind === 'registered' && standing.row.asks
  }

  /** The tools that can be called now, one a name, under the names they go by. */
  getAvailableTools(): readonly Tool[] {
    return toolTable(this.state, this.#parts.surroundings).available
  }

  /** Where a registered tool comes from; null for one that nobody registers now. */
  getToolSource(tool: string): { readonly source: ToolSource; readonly owner: string } | null {
    const standing = assess(this.state, this.#parts.surroundings, tool)
    if (standing.kind !== 'registered') return null
    const { source, owner } = standing.row.owner
    return { source, owner }
  }

  /** Every tool the session knows of, with its standing. */
  tools(): readonly ToolListing[] {
    return listTools(this.state, this.#parts.surroundings)
  }

  /** Every skill the session knows of, with its standing. */
  skills(): readonly SkillListing[] {
    return listSkills(this.state, this.#parts.surroundings, this.store.getState().pending)
  }

  /** Why a tool can, or cannot, be called now. */
  explain(tool: string): Explanation<ToolStatus> {
    return explainTool(this.state, this.#parts.surroundings, tool)
  }

  /** Why a skill is, or is not, active. */
  explainSkill(skill: string): Explanation<SkillStatus> {
    return explainSkill(this.state, this.#parts.surroundings, skill, this.store.getState().pending)
  }

  /** What the model would read now, by the path that adapters send it. */
  prompt(request: PromptRequest = {}): PromptView {
    const { surroundings, counter, exposure } = this.#parts
    const listed = listedFor(exposure.strategy, request)
    const document = workspaceDocument(this.state, surroundings, counter, this.#variables, listed)
    return new PromptView(document, request.format ?? 'markdown', counter)
  }

  /**
   * Tokens of the prompt by section, source, skill and tool, what the last request kept of the one
   * before, and what putting a skill away would free and lose.
   */
  ledger(request: PromptRequest = {}): WorkspaceLedger {
    const { surroundings, counter, exposure } = this.#parts
    const { ledger } = this.prompt(request)
    const { strategy, provider, why, prices } = exposure
    return {
      ...ledger,
      exposure: { strategy: strategy.name, provider: provider.name, why, prices },
      lastStep: stepLedger(this.state, surroundings, counter),
      removals: removalEstimates(this.state, surroundings, ledger),
    }
  }

  /**
   * What the next request would carry and cost if it were begun now: the first byte of it that is
   * not as before, and what that costs. Asks the strategy, and writes nothing.
   */
  async previewStep(request: StepRequest = {}): Promise<StepPreview> {
    const {
      exposed: _,
      sections: __,
      ...preview
    } = await planStep(this.state, this.#parts, this.#variables, request)
    return preview
  }

  /** The whole prompt in boxes, for people. */
  render(): string {
    return this.prompt({ format: 'text' }).text
  }

  /** The skills of the catalog, boxed, with the active ones marked. */
  renderSkillsSection(options?: RenderOptions): string {
    const active = new Set(activeSkills(this.state))
    const skills = [...this.catalog.skills.values()]
    return renderSkillsSection(
      skills.map((skill) => ({ ...skill, active: active.has(skill.name) })),
      options,
    )
  }

  /** The available tools, whoever brought them, boxed. */
  renderToolSection(options?: RenderOptions): string {
    return renderToolSection(this.getAvailableTools(), options)
  }

  /** A `SKILL TOOLS` box for each active skill that brings tools; null when none does. */
  renderSkillToolsSection(options?: RenderOptions): string | null {
    const boxes = this.skillManager
      .getActiveSkills()
      .flatMap(
        ({ name, displayName }) =>
          renderSkillToolsSection(displayName, this.#toolsOf(name), options) ?? [],
      )
    return boxes.length === 0 ? null : boxes.join('')
  }

  /** The log's entries, from `from` on. */
  entries(from = 0): Promise<readonly Entry[]> {
    return this.#parts.log.read(this.session, from)
  }

  /** What an active skill has registered, under the names it goes by; else what it would bring. */
  #toolsOf(skill: string): readonly Tool[] {
    const { surroundings } = this.#parts
    const open = openSkill(this.state, skill)
    if (!open) return surroundings.catalog.skillTools.get(skill)?.map(({ tool }) => tool) ?? []
    const { byAddress } = toolTable(this.state, surroundings)
    return open.claims.flatMap(({ name }) => byAddress.get(`skill:${skill}/${name}`)?.tool ?? [])
  }
}
