import { isObject } from '../../../entries/kit.ts'
import type { Catalog, MemoryLog, TokenCounter } from '../../../entries/index.ts'
import type {
  CarnetVersion,
  SkillMetadata,
  ToolMetadata,
  WritableAgent,
  WritableManifest,
  WritableSkill,
} from '../format/carnet-manifest.ts'
import { ValidationError } from '../manifest/carnet-error.ts'
import { checkManifest } from '../manifest/check-manifest.ts'
import { manifestCatalog } from '../manifest/manifest-catalog.ts'
import { manifestNames, type ManifestNames, skillKeys } from '../manifest/manifest-names.ts'
import {
  CARNET_TOOL_NAMES,
  type CarnetOptions,
  type CarnetToolName,
  DEFAULT_TOOL_NAMES,
} from './carnet-options.ts'
import { PromptGenerator } from './prompt-generator.ts'
import { type DomainToolSet, ToolRegistry } from './tool-registry.ts'
import { VariableInjector } from './variable-injector.ts'
import { createOwnLog } from '../../../workspace/log/memory-log.ts'

/** The parts that all conversations of one instance share. */
export class CarnetProject {
  readonly manifest: WritableManifest
  /** The version of Carnet whose manifest and prompts these are. */
  readonly version: CarnetVersion
  /** The tools of each toolset as a manifest of 0.3.1 describes them. */
  readonly inline: ReadonlyMap<string, ToolMetadata[]>
  readonly names: ManifestNames
  readonly catalog: Catalog
  readonly injector: VariableInjector
  readonly generator: PromptGenerator
  readonly registry = new ToolRegistry()
  /** Number of registrations, and the tools that a later registration of their toolset replaced. */
  registrations = 0
  readonly replaced: { readonly toolset: string; readonly tool: string }[] = []
  readonly log: MemoryLog
  readonly counter: TokenCounter
  readonly options: CarnetOptions
  /** Returns the key of a skill for its key, or for a name that nearly matches. */
  readonly skillKey: (name: string) => string | undefined
  readonly #available = new Map<string, readonly SkillMetadata[]>()
  /** Skills that are not loaded, by the list of those that are. */
  readonly #loadable = new WeakMap<readonly string[], readonly SkillMetadata[]>()

  constructor(manifest: unknown, options: CarnetOptions) {
    const checked = checkManifest(manifest)
    this.manifest = checked.manifest
    this.version = checked.version
    this.inline = checked.inline
    this.options = options
    this.names = manifestNames(this.manifest)
    this.catalog = manifestCatalog(this.manifest, this.names)
    this.injector = new VariableInjector(options)
    this.generator = new PromptGenerator(this.injector, this.metaTools, this.version)
    this.log = options.log ?? createOwnLog()
    this.counter = options.tokenCounter ?? CHARACTERS
    this.skillKey = skillKeys(this.manifest)
  }

  /** The meta-tools when a call does not name them. */
  get metaTools(): readonly CarnetToolName[] {
    const { metaTools = DEFAULT_TOOL_NAMES } = this.options
    return CARNET_TOOL_NAMES.filter((name) => metaTools.includes(name))
  }

  register(toolset: string, tools: DomainToolSet): void {
    const wrong = isObject(tools) ? Object.keys(tools).find((name) => !isObject(tools[name])) : ''
    if (wrong !== undefined) {
      const what = wrong === '' ? 'The tools of a toolset are no object' : `"${wrong}" is no tool`
      const message = `${what}. Give tools of the AI SDK by their names: { search: tool({ … }) }.`
      throw new ValidationError(message, 'toolset', toolset, { tool: wrong })
    }
    const before = this.registry.getTools(toolset) ?? {}
    for (const tool of Object.keys(tools)) {
      if (Object.hasOwn(before, tool) && before[tool] !== tools[tool]) {
        this.replaced.push({ toolset, tool })
      }
    }
    this.registry.register(toolset, tools)
    this.registrations += 1
  }

  agent(key: string): WritableAgent {
    return manifestEntry(this.manifest.agents, key, 'agent')
  }

  /** Returns the skills an agent starts with, those of the project first. */
  initialSkills(agent: string): readonly WritableSkill[] {
    const { app, skills } = this.manifest
    return [...new Set([...app.globalInitialSkills, ...this.agent(agent).initialSkills])].flatMap(
      (key) => (Object.hasOwn(skills, key) ? (skills[key] ?? []) : []),
    )
  }

  /** Returns every skill an agent may load, the initial ones first. The list is made once. */
  availableSkills(agent: string): readonly SkillMetadata[] {
    const { initialSkills, skills } = this.agent(agent)
    const known = this.#available.get(agent)
    if (known !== undefined) return known
    const { app } = this.manifest
    const keys = [...app.globalInitialSkills, ...initialSkills, ...app.globalSkills, ...skills]
    const made = Object.freeze(
      [...new Set(keys)]
        .filter((key) => Object.hasOwn(this.manifest.skills, key))
        .map((key) => this.skillMetadata(key)),
    )
    this.#available.set(agent, made)
    return made
  }

  /**
   * Returns the skills that a prompt lists for loading: for 0.3.0 all that an agent may load, for
   * 0.3.1 those that are not loaded. The list is the same object as long as `loaded` is.
   *
   * @param loaded keys of the skills that are loaded in a session of the agent
   */
  loadableSkills(agent: string, loaded: readonly string[]): readonly SkillMetadata[] {
    if (this.version === '0.3.0') return this.availableSkills(agent)
    const known = this.#loadable.get(loaded)
    if (known !== undefined) return known
    const names = new Set(loaded.map((key) => this.manifest.skills[key]?.name ?? key))
    const made = Object.freeze(this.availableSkills(agent).filter(({ name }) => !names.has(name)))
    this.#loadable.set(loaded, made)
    return made
  }

  skillMetadata(key: string): SkillMetadata {
    const { name, description, toolsets, files } = manifestEntry(this.manifest.skills, key, 'skill')
    return { name, description, toolsets, files }
  }
}

/** Returns an entry of the manifest. Throws the error that Carnet's users know. */
export function manifestEntry<T>(
  entries: Readonly<Record<string, T>>,
  key: string,
  kind: 'agent' | 'skill' | 'toolset' | 'tool',
): T {
  const entry = Object.hasOwn(entries, key) ? entries[key] : undefined
  if (entry !== undefined) return entry
  const called = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  throw new ValidationError(`${called} not found`, kind, key)
}

/**
 * Counts four characters as one token: loading a tokenizer takes time, and the constructor cannot
 * wait.
 */
const CHARACTERS: TokenCounter = {
  name: 'characters/4',
  count: (text) => Math.ceil(text.length / 4),
}
