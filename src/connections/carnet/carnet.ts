import type { Diagnostic } from '../../entries/index.ts'
import { CarnetConversation } from './carnet-conversation.ts'
import type {
  InlineManifest,
  SkillMetadata,
  ToolMetadata,
  ToolsetMetadata,
  WritableAgent,
  WritableManifest,
  WritableSkill,
  WritableTool,
  WritableToolset,
} from './format/carnet-manifest.ts'
import { ValidationError } from './manifest/carnet-error.ts'
import { readCarnetFile } from './manifest/check-manifest.ts'
import type { CarnetOptions, ContentRetrievalOptions } from './session/carnet-options.ts'
import { CarnetProject, manifestEntry } from './session/carnet-project.ts'
import type { PromptGenerator } from './session/prompt-generator.ts'
import type { DomainToolSet } from './session/tool-registry.ts'
import type { VariableInjector } from './session/variable-injector.ts'

const DEFAULT_CONVERSATION = 'default'

/**
 * The class `Carnet` of `@upstart.gg/carnet` 0.3.0 and 0.3.1, on top of a workspace: the prompts and tools of
 * a manifest, and the skills that its agents load. Prompts have the headings of the version that
 * writes such manifests. An instance is one conversation; a server calls
 * `session(id)` for each user.
 *
 *     const carnet = new Carnet(manifest, { variables: { COMPANY: 'Acme' } })
 *     await generateText({
 *       model,
 *       system: carnet.getSystemPrompt('support'),
 *       tools: carnet.getTools('support', { tools: { refund } }),
 *       prompt,
 *     })
 */
export class Carnet extends CarnetConversation {
  protected readonly manifest: WritableManifest
  protected readonly variableInjector: VariableInjector
  protected readonly promptGenerator: PromptGenerator
  readonly #project: CarnetProject
  readonly #conversations = new Map<string, CarnetConversation>()

  /** Throws `ValidationError` for an invalid manifest, with every issue in `context.error`. */
  constructor(manifest: WritableManifest | InlineManifest, options: CarnetOptions = {}) {
    const project = new CarnetProject(manifest, options)
    super(project, DEFAULT_CONVERSATION)
    this.#project = project
    this.manifest = project.manifest
    this.variableInjector = project.injector
    this.promptGenerator = project.generator
    this.#conversations.set(DEFAULT_CONVERSATION, this)
  }

  /**
   * Creates an instance from a parsed manifest or from its file: `./carnet/carnet.manifest.json`.
   */
  static async fromManifest(
    manifest: string | URL | WritableManifest | InlineManifest,
    options: CarnetOptions = {},
  ): Promise<Carnet> {
    const isFile = typeof manifest === 'string' || manifest instanceof URL
    return new Carnet(
      isFile ? ((await readCarnetFile(manifest)) as WritableManifest) : manifest,
      options,
    )
  }

  /** Returns the conversation of one user; creates it at the first call. */
  session(id: string): CarnetConversation {
    const known = this.#conversations.get(id)
    if (known !== undefined) return known
    const made = new CarnetConversation(this.#project, id)
    this.#conversations.set(id, made)
    return made
  }

  /** Ends and removes a conversation. Without this it lives as long as the instance. */
  endSession(id: string): void {
    this.#conversations.get(id)?.reset()
    if (id !== DEFAULT_CONVERSATION) this.#conversations.delete(id)
  }

  /**
   * Registers tools for a toolset, in every conversation. They are returned with the skills that
   * have the toolset.
   */
  registerDomainToolset(toolsetName: string, tools: DomainToolSet): void {
    this.#project.register(toolsetName, tools)
  }

  /** Findings about names in the manifest that it does not define. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#project.catalog.diagnostics
  }

  get agents(): Record<string, WritableAgent> {
    return this.manifest.agents
  }

  getAgent(name: string): WritableAgent | undefined {
    return own(this.manifest.agents, name)
  }

  getSkill(name: string): WritableSkill | undefined {
    return own(this.manifest.skills, name)
  }

  getToolset(name: string): WritableToolset | undefined {
    const toolset = own(this.manifest.toolsets, name)
    return toolset && this.#withInlineTools(name, toolset)
  }

  getTool(name: string): WritableTool | undefined {
    return own(this.manifest.tools, name)
  }

  /**
   * Returns the text of a file that the skill lists under exactly this path. Throws
   * `ValidationError`.
   */
  loadSkillFile(skillName: string, filePath: string): string {
    const { files = [] } = manifestEntry(this.manifest.skills, skillName, 'skill')
    const file = files.find(({ path }) => path === filePath)
    if (file !== undefined) return file.content
    const availableFiles = files.map(({ path }) => path).join(', ') || 'none'
    const context = { skillName, availableFiles }
    throw new ValidationError('File not found in skill', 'file', filePath, context)
  }

  /**
   * Returns the text of a skill with variables substituted, or unchanged with `raw`. This and the
   * next two throw `ValidationError`.
   */
  getSkillContent(name: string, options?: ContentRetrievalOptions): string {
    return this.#text(manifestEntry(this.manifest.skills, name, 'skill'), options)
  }

  getToolsetContent(name: string, options?: ContentRetrievalOptions): string {
    return this.#text(manifestEntry(this.manifest.toolsets, name, 'toolset'), options)
  }

  getToolContent(name: string, options?: ContentRetrievalOptions): string {
    return this.#text(manifestEntry(this.manifest.tools, name, 'tool'), options)
  }

  getSkillMetadata(name: string): SkillMetadata {
    return this.#project.skillMetadata(name)
  }

  getToolsetMetadata(name: string): ToolsetMetadata {
    const entry = manifestEntry(this.manifest.toolsets, name, 'toolset')
    const { description, tools, ...rest } = this.#withInlineTools(name, entry)
    return { name: rest.name, description, tools }
  }

  /**
   * Returns a toolset as its manifest has it. For a manifest of 0.3.1, `tools` are objects with name
   * and description, which the types of 0.3.0 do not say.
   */
  #withInlineTools(key: string, toolset: WritableToolset): WritableToolset {
    const tools: unknown = this.#project.inline.get(key)
    return tools === undefined ? toolset : { ...toolset, tools: tools as string[] }
  }

  getToolMetadata(name: string): ToolMetadata {
    const { description, ...rest } = manifestEntry(this.manifest.tools, name, 'tool')
    return { name: rest.name, description }
  }

  /**
   * Lists the skills an agent may load, the initial ones first. Names that the manifest does not
   * define are left out.
   */
  listAvailableSkills(agentName: string): SkillMetadata[] {
    return [...this.#project.availableSkills(agentName)]
  }

  listSkillToolsets(skillName: string): ToolsetMetadata[] {
    const { toolsets } = manifestEntry(this.manifest.skills, skillName, 'skill')
    return toolsets
      .filter((name) => Object.hasOwn(this.manifest.toolsets, name))
      .map((name) => this.getToolsetMetadata(name))
  }

  listToolsetTools(toolsetName: string): ToolMetadata[] {
    const { tools } = manifestEntry(this.manifest.toolsets, toolsetName, 'toolset')
    return tools
      .filter((name) => Object.hasOwn(this.manifest.tools, name))
      .map((name) => this.getToolMetadata(name))
  }

  #text({ content }: { readonly content: string }, options: ContentRetrievalOptions = {}): string {
    return options.raw === true ? content : this.variableInjector.inject(content, options.variables)
  }
}

function own<T>(entries: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}
