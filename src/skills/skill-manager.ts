import { checkRecord, type OptionsOf } from '../kernel/check-options.ts'
import type { Tool } from '../tools/definition/tool.ts'
import type { Skill } from './definition/skill.ts'

/** A skill with its tools, and those of them that are registered now. */
export interface SkillToolState {
  readonly skillName: string
  /** The tools it adds while it is active. */
  readonly tools: readonly Tool[]
  readonly active: boolean
  /** The names of its tools that can be called now; empty while it is inactive. */
  readonly addedToolNames: readonly string[]
}

/** The commands of a session that are about skills. */
interface SkillCommands {
  registerSkill(skill: Skill, options?: never): unknown
  activateSkill(skill: string, options?: never): unknown
  deactivateSkill(skill?: string, options?: never): unknown
}

/** The sources that a `SkillManager` reads from, and the session that carries out its commands. */
export interface SkillManagerSources<Commands extends SkillCommands> {
  readonly commands: Commands
  /** Returns the skills of the catalog, by name. */
  skills(): ReadonlyMap<string, Skill>
  /** Returns the tools of a skill, including those through toolsets and `extends`. */
  toolsOf(skill: string): readonly Tool[]
  /** Returns the skills that are active now, in order of activation. */
  active(): readonly string[]
  /** Returns the tools of active skills that can be called now, by skill, in order of activation. */
  available(): ReadonlyMap<string, readonly Tool[]>
}

const SOURCES: OptionsOf<SkillManagerSources<SkillCommands>> = {
  commands: 'object',
  skills: 'function',
  toolsOf: 'function',
  active: 'function',
  available: 'function',
}

/**
 * Registers, activates and deactivates skills, and reports which are active and which of their tools can
 * be called.
 *
 * It has no state: it commands the session, and reads its sources on every call. Active skills that are no
 * longer in the catalog are left out.
 */
export class SkillManager<Commands extends SkillCommands = SkillCommands> {
  readonly #sources: SkillManagerSources<Commands>

  /** Throws `OPTIONS_INVALID` for sources that are not complete. */
  constructor(sources: SkillManagerSources<Commands>) {
    checkRecord(sources, SOURCES, ...Object.keys(SOURCES))
    this.#sources = sources
  }

  /** Adds a skill to the catalog of the session, as `VirtualWorkspace.registerSkill` does. */
  registerSkill: Commands['registerSkill'] = (...given) =>
    this.#sources.commands.registerSkill(...given)

  /** Activates a skill of the session, as `VirtualWorkspace.activateSkill` does. */
  activateSkill: Commands['activateSkill'] = (...given) =>
    this.#sources.commands.activateSkill(...given)

  /** Deactivates a skill of the session, as `VirtualWorkspace.deactivateSkill` does. */
  deactivateSkill: Commands['deactivateSkill'] = (...given) =>
    this.#sources.commands.deactivateSkill(...given)

  /** Returns the skill that was activated last. */
  getActiveSkill(): Skill | null {
    return this.getActiveSkills().at(-1) ?? null
  }

  /** Returns active skills in order of activation. */
  getActiveSkills(): Skill[] {
    return this.#sources.active().flatMap((name) => this.#sources.skills().get(name) ?? [])
  }

  /** Returns the tools of active skills that can be called now, one per name. */
  getActiveSkillTools(): Tool[] {
    return [...this.#sources.available().values()].flat()
  }

  getActiveSkillToolNames(): string[] {
    return this.getActiveSkillTools().map(({ name }) => name)
  }

  isToolFromActiveSkill(toolName: string): boolean {
    return this.getActiveSkillTools().some(({ name }) => name === toolName)
  }

  /** Returns every skill, active or not, in the order of the catalog. */
  getAllSkillToolStates(): SkillToolState[] {
    const active = new Set(this.#sources.active())
    const available = this.#sources.available()
    return [...this.#sources.skills().keys()].map((skillName) => ({
      skillName,
      tools: this.#sources.toolsOf(skillName),
      active: active.has(skillName),
      addedToolNames: (available.get(skillName) ?? []).map(({ name }) => name),
    }))
  }
}
