import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { ConditionalSkill } from './activation-condition.ts'
import type { Lifetime } from './lifetime.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { Principal } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** A file of a skill. It is listed when the skill is loaded, and read on demand. */
export interface SkillFile {
  /** Relative to the skill's folder, with `/`. Only listed paths can be read. */
  readonly path: string
  readonly description?: string
  /** Bytes. */
  readonly size: number
  readonly hash: ContentHash
}

/** The action if another owner has the name of a tool: refuse (by default), win, or rename. */
export type OnConflict = 'refuse' | 'shadow' | 'namespace'

/** The parameter of a skill's hooks. */
export interface SkillHookContext {
  readonly skill: string
  readonly session: string
  /** Aborted if the hook times out. */
  readonly signal: AbortSignal
  readonly services: unknown
  readonly principal: Principal | undefined
  /** True if an earlier process activated the skill and this process continues the session. */
  readonly resumed: boolean
  /** True if the hook undoes another one, because a later hook failed. */
  readonly undo: boolean
}

export type SkillHook = (context: SkillHookContext) => void | Promise<void>

/** Reads a listed file of a skill. The loader of the skill supplies the reader. */
export type SkillFileReader = (path: string, signal?: AbortSignal) => Promise<string>

/** The terms on which a subagent carries out a skill. The host decides about the model. */
export interface SkillFork {
  /** The agent; that of the session when absent, or not defined. */
  readonly agent?: string
  /** The model that the author of the skill wishes, in the words of its client. */
  readonly model?: string
  /** The amount of thinking that the author wishes, in the words of its client. */
  readonly effort?: string
}

/** Instructions, tools, toolsets and files that are activated together. */
export interface Skill extends ConditionalSkill {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly version: string
  readonly capabilities: readonly string[]
  /** The instructions the model reads while the skill is active, in Markdown. */
  readonly instructions: string
  /** Tools by value, or shared tools of the catalog by name (`search`, `search@^1`). */
  readonly tools: readonly (Tool | string)[]
  /** Toolsets by value, or by name in the catalog. */
  readonly toolsets: readonly (Toolset | string)[]
  readonly files: readonly SkillFile[]
  /** Words or requests for which the skill should be found. */
  readonly triggers: readonly string[]
  readonly whenToUse: string
  readonly tags: readonly string[]
  /** Skills that are activated before it. */
  readonly requires: readonly string[]
  /** Programs of the machine without which it cannot be activated; absent for none. */
  readonly programs?: readonly string[]
  /** Those of them that this machine does not have, where it was read from a folder. Not a part of its hash. */
  readonly missingPrograms?: readonly string[]
  /** Skills that cannot be active together with it. */
  readonly conflicts: readonly string[]
  /** Skills whose tools it inherits. */
  readonly extends: readonly string[]
  /** True if it can only be active together with skills that it requires. */
  readonly exclusive: boolean
  readonly lifetime: Lifetime
  /** Servers of the catalog whose tools come and go with it; absent for none. */
  readonly servers?: readonly string[]
  /**
   * `activation`: its servers are connected when it is activated, and one that does not answer undoes the activation.
   * Absent: a server is connected at the first call, if its tools are stored and it does not ask for the activation.
   */
  readonly connect?: 'first-call' | 'activation'
  /** Other names that a model may use for it. */
  readonly aliases: readonly string[]
  /** Permissions that it asks for (`allowed-tools`). Loading it grants none of them. */
  readonly permissions: readonly string[]
  /** Patterns of tools that cannot be called while it is active (`disallowed-tools`); absent for none. */
  readonly disallowedTools?: readonly string[]
  readonly onConflict: OnConflict
  /** Names of its arguments in their order, for `$name` in its text; absent for none. */
  readonly arguments?: readonly string[]
  /** True if no model may activate it: it is not in the list that a model reads, and `loadSkill` refuses it. */
  readonly disableModelInvocation?: boolean
  /** False if it is not offered to a person as a command; a model and the host activate it. */
  readonly userInvocable?: boolean
  /** Set if a subagent carries it out when a model loads it (`context: fork`). */
  readonly fork?: SkillFork
  readonly license?: string
  readonly compatibility?: string
  readonly metadata: Readonly<Record<string, string>>
  /** The folder it was read from, in the form that the model reads. */
  readonly baseDirectory?: string
  /** The SKILL.md it was read from. */
  readonly path?: string
  /** The line of its permissions in that file, 1-based. */
  readonly permissionsLine?: number
  /** Findings of reading it. With an error it was not loaded, and is never in a catalog. */
  readonly diagnostics: readonly Diagnostic[]
  /** Covers everything that a model may read, with files by digest and tools by hash. */
  readonly hash: ContentHash
  readFile?: SkillFileReader
  onActivate?: SkillHook
  onDeactivate?: SkillHook
}
