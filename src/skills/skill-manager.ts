import type { Tool } from '../tools/definition/tool.ts'
import type { Skill } from './definition/skill.ts'

/** A skill with its tools, and those of them that are registered now. */
export interface SkillToolState {
  readonly skillName: string
  /** The tools it adds while it is active. */
  readonly tools: readonly Tool[]
  readonly active: boolean
  /** The names of the tools it has added; empty while it is inactive. */
  readonly addedToolNames: readonly string[]
}

/** The sources that a `SkillManager` reads from. */
export interface SkillManagerSources {
  readonly skills: ReadonlyMap<string, Skill>
  /** Returns the tools of a skill, including those through toolsets and `extends`. */
  toolsOf(skill: string): readonly Tool[]
  /** Returns the skills that are active now, in order of activation. */
  active(): readonly string[]
}

/**
 * Reports which skills are active and which tools they add.
 *
 * It has no state: it reads its sources on every call, so it is always up to date with the session.
 * Active skills that are no longer in the catalog are left out.
 */
export class SkillManager {
  readonly #sources: SkillManagerSources

  constructor(sources: SkillManagerSources) {
    this.#sources = sources
  }

  /** Returns the skill that was activated last. */
  getActiveSkill(): Skill | null {
    return this.getActiveSkills().at(-1) ?? null
  }

  /** Returns active skills in order of activation. */
  getActiveSkills(): Skill[] {
    return this.#sources.active().flatMap((name) => this.#sources.skills.get(name) ?? [])
  }

  /** Returns the tools of all active skills, one per name: the tool of the skill activated first. */
  getActiveSkillTools(): Tool[] {
    const tools = new Map<string, Tool>()
    for (const skill of this.getActiveSkills()) {
      for (const tool of this.#sources.toolsOf(skill.name)) {
        if (!tools.has(tool.name)) tools.set(tool.name, tool)
      }
    }
    return [...tools.values()]
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
    return [...this.#sources.skills.keys()].map((skillName) => {
      const tools = this.#sources.toolsOf(skillName)
      const isActive = active.has(skillName)
      return {
        skillName,
        tools,
        active: isActive,
        addedToolNames: isActive ? tools.map(({ name }) => name) : [],
      }
    })
  }
}
