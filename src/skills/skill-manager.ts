import type { Tool } from '../tools/definition/tool.ts'
import type { Skill } from './definition/skill.ts'

/** One skill with its tools, and which of them are there now. */
export interface SkillToolState {
  readonly skillName: string
  /** The tools it brings when it is active. */
  readonly tools: readonly Tool[]
  readonly active: boolean
  /** Names of the tools it has brought: none while it is inactive. */
  readonly addedToolNames: readonly string[]
}

/** Where a `SkillManager` looks. */
export interface SkillManagerSources {
  readonly skills: ReadonlyMap<string, Skill>
  /** The tools a skill brings, through toolsets and `extends` too. */
  toolsOf(skill: string): readonly Tool[]
  /** Active skills in the order they were activated, now. */
  active(): readonly string[]
}

/**
 * Answers which skills are active and what they bring.
 *
 * Holds no state: every answer is read from its sources when asked, so it is never behind
 * the session. Skills that are active but gone from the catalog are left out.
 */
export class SkillManager {
  readonly #sources: SkillManagerSources

  constructor(sources: SkillManagerSources) {
    this.#sources = sources
  }

  /** The latest activated skill. */
  getActiveSkill(): Skill | null {
    return this.getActiveSkills().at(-1) ?? null
  }

  /** In the order they were activated. */
  getActiveSkills(): Skill[] {
    return this.#sources.active().flatMap((name) => this.#sources.skills.get(name) ?? [])
  }

  /** Tools of all active skills, one a name: that of the skill activated first. */
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

  /** Every skill, active or not, in the order of the catalog. */
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
