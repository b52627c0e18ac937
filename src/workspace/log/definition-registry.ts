import { catalogListing } from '../../catalog/catalog-listing.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Draft, WorkspaceEvent } from '../../engine/model/workspace-event.ts'
import { type ContentHash, hashesIn } from '../../kernel/content-hash.ts'
import { isObject, type JsonValue } from '../../kernel/json-value.ts'
import { REDACTED, type Redactor } from '../../kernel/redactor.ts'
import {
  isSkillRecord,
  skillFromRecord,
  skillRecord,
  type SkillRecord,
} from '../../skills/definition/skill-record.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import { bindTool, toolDefinition } from '../../tools/definition/make-tool.ts'
import type { Tool, ToolDefinition } from '../../tools/definition/tool.ts'
import type { EventLog } from './event-log.ts'

/**
 * The definitions that this process has written to each log since the log was pruned, so that it writes each one once.
 */
const written = new WeakMap<
  EventLog,
  { readonly epoch: string; readonly hashes: Set<ContentHash> }
>()

/**
 * The definitions of a session, by hash: those of the catalog, those registered while the session is
 * open, and those that only the log has. Handlers are those of an owner, so they are not looked up here.
 */
export class DefinitionRegistry {
  #catalog: Catalog
  readonly #log: EventLog
  readonly #redactor: Redactor | undefined
  /** The meta-tools of the session: no catalog has their definitions. Created with the first. */
  #metaTools: Map<ContentHash, Tool> | undefined
  /** Definitions that the catalog does not have. Created with the first. */
  #others: Map<ContentHash, Tool> | undefined
  /** The options of the host; undefined for a log that nobody else can read. */
  #setup: RecordedSetup | undefined
  /** Skills that the catalog has in another version, or no longer. Created with the first. */
  #skills: Map<ContentHash, SkillRecord> | undefined
  /** Texts of the workspace in the conversation, by key or content hash. Created with the first. */
  #texts: Map<string, string> | undefined
  /** Results of calls that are not written yet. Created with the first. */
  #results: Map<ContentHash, JsonValue> | undefined

  constructor(catalog: Catalog, log: EventLog, redactor?: Redactor) {
    this.#catalog = catalog
    this.#log = log
    this.#redactor = redactor
  }

  tool(hash: ContentHash): Tool | undefined {
    return (
      this.#metaTools?.get(hash) ?? this.#catalog.toolsByHash.get(hash) ?? this.#others?.get(hash)
    )
  }

  /** Returns a skill in the version that the session activated, when the catalog no longer has that one. */
  skill(hash: ContentHash): SkillRecord | undefined {
    return this.#skills?.get(hash)
  }

  /**
   * Restores a skill that only the log has, without hooks and texts of files. Its tools have the handlers of the
   * catalog.
   */
  async restoreSkill(hash: ContentHash): Promise<Skill | undefined> {
    const record = this.skill(hash) as unknown as JsonValue | undefined
    if (record === undefined) return undefined
    await this.learn([], hashesIn(record))
    return skillFromRecord(record, (tool) => this.tool(tool))
  }

  /** Adds the definition of a tool, before an entry names it. */
  add(tool: Tool): void {
    if (this.tool(tool.hash) !== undefined) return
    this.#others ??= new Map()
    this.#others.set(tool.hash, tool)
  }

  /** Adds the meta-tools that the session offers. A large catalog is not searched for them. */
  offerMetaTools(tools: readonly Tool[]): void {
    // With another catalog they name other skills, and entries still name the earlier ones.
    this.#metaTools ??= new Map()
    for (const tool of tools) this.#metaTools.set(tool.hash, tool)
  }

  /** Sets the options of the host, which are written with the entry that names their hash. */
  noteSetup(setup: RecordedSetup): void {
    this.#setup = setup
  }

  /**
   * Keeps a text of the workspace in the conversation; one with a content hash is written with the entry that names it.
   */
  noteText(key: string, text: string): void {
    this.#texts ??= new Map()
    this.#texts.set(key, text)
  }

  /** Returns a text that this process knows. */
  text(key: string): string | undefined {
    return this.#texts?.get(key)
  }

  /** Reads texts from the log, by hash; those that are not there any more are left out. */
  async readTexts(hashes: readonly ContentHash[]): Promise<ReadonlyMap<ContentHash, string>> {
    if (hashes.length === 0) return new Map()
    const stored = await this.#log.definitions.get(hashes)
    return new Map(
      [...stored].flatMap(([hash, text]) => (typeof text === 'string' ? [[hash, text]] : [])),
    )
  }

  /** Keeps the result of a call until the entry that names it is written. */
  addResult(hash: ContentHash, result: JsonValue): void {
    this.#results ??= new Map()
    this.#results.set(hash, result)
  }

  /** Forgets a result: the log has it. */
  dropResult(hash: ContentHash): void {
    this.#results?.delete(hash)
  }

  /** Reads the result of a call from the log; undefined when it is not there any more. */
  async readResult(hash: ContentHash): Promise<JsonValue | undefined> {
    return (await this.#log.definitions.get([hash])).get(hash)
  }

  /** Replaces the catalog whose definitions are looked up. */
  setCatalog(catalog: Catalog): void {
    this.#catalog = catalog
  }

  /**
   * Yields the definitions that entries name and that this process has not written to the log. One counts as written
   * when the next is asked for.
   */
  *unwritten(drafts: readonly Draft[]): Generator<UnwrittenDefinition> {
    for (const { event } of drafts) {
      const isKept = event.type === 'call.ended' || event.type === 'step.answered'
      const stored = isKept ? event.stored : undefined
      const result = stored && this.#results?.get(stored)
      // Not noted as written: there is one for each call.
      if (stored && result !== undefined) {
        yield { hash: stored, definition: () => this.#redacted(result) }
      }
      for (const [hash, definition] of this.#missing(event)) {
        yield { hash, definition: () => this.#redacted(definition) }
        this.#written.add(hash)
      }
      const catalog = this.#setup && this.#namesSetup(event) ? this.#setup.catalog : undefined
      if (catalog === undefined || this.#written.has(catalog.hash)) continue
      const listing = () => this.#redacted(catalogListing(catalog) as unknown as JsonValue)
      yield { hash: catalog.hash, definition: listing, isShared: true }
      this.#written.add(catalog.hash)
    }
  }

  /** Writes a definition to the log. */
  async keep({ hash, definition, isShared }: UnwrittenDefinition): Promise<void> {
    const { definitions } = this.#log
    if (!isShared || !(await definitions.has(hash))) await definitions.put(hash, definition())
  }

  #redacted(definition: JsonValue): JsonValue {
    return this.#redactor?.texts(definition) ?? definition
  }

  /** Yields one definition at a time: one that another append writes meanwhile is left out. */
  *#missing(event: WorkspaceEvent): Generator<readonly [ContentHash, JsonValue]> {
    if (this.#setup && this.#namesSetup(event)) yield* this.#missingSetup(this.#setup)
    const isOpening = event.type === 'source.opened' || event.type === 'source.accepted'
    const skill =
      isOpening && event.definition !== null ? this.#catalog.skills.get(event.owner) : undefined
    if (skill && !this.#written.has(skill.hash)) yield [skill.hash, skillRecord(skill)]
    if (event.type === 'skill.registered') {
      yield* this.#missingSkill(this.#catalog.skills.get(event.skill))
    }
    yield* this.#missingTools(toolReferences(event))
    for (const message of event.type === 'step.begun' ? (event.conversation?.added ?? []) : []) {
      const hash = message.kind === 'text' ? message.text : undefined
      const text = hash && this.text(hash)
      if (hash && text !== undefined && !this.#written.has(hash)) yield [hash, text]
    }
  }

  *#missingTools(hashes: Iterable<ContentHash>): Generator<readonly [ContentHash, JsonValue]> {
    for (const hash of hashes) {
      const tool = this.#written.has(hash) ? undefined : this.tool(hash)
      if (tool) yield [hash, toolDefinition(tool) as unknown as JsonValue]
    }
  }

  /** The model reads initial skills even when their activation was refused. */
  *#missingSetup({
    hash,
    options,
    initialSkills,
  }: RecordedSetup): Generator<readonly [ContentHash, JsonValue]> {
    if (!this.#written.has(hash)) yield [hash, options]
    for (const skill of initialSkills) yield* this.#missingSkill(skill)
  }

  /** Yields a skill, and the tools that it has itself. */
  *#missingSkill(skill: Skill | undefined): Generator<readonly [ContentHash, JsonValue]> {
    if (skill === undefined || this.#written.has(skill.hash)) return
    const record = skillRecord(skill)
    yield [skill.hash, record]
    yield* this.#missingTools(hashesIn(record))
  }

  #namesSetup(event: WorkspaceEvent): boolean {
    const isSetup = event.type === 'session.opened' || event.type === 'catalog.taken'
    return isSetup && event.setup !== undefined && event.setup === this.#setup?.hash
  }

  get #written(): Set<ContentHash> {
    const { epoch = '' } = this.#log.definitions
    const known = written.get(this.#log)
    if (known?.epoch === epoch) return known.hashes
    const hashes = new Set<ContentHash>()
    written.set(this.#log, { epoch, hashes })
    return hashes
  }

  /**
   * Reads from the log, at once, the definitions that this process does not know: those that entries name,
   * and those with other hashes.
   *
   * @param later hashes that are left out
   */
  async learn(
    drafts: readonly Draft[],
    others?: Iterable<ContentHash>,
    later?: ReadonlySet<ContentHash>,
  ): Promise<void> {
    const unknown = this.unknown(drafts, others).filter((hash) => !later?.has(hash))
    if (unknown.length > 0) this.addStored(await this.#log.definitions.get(unknown))
  }

  /** Returns the hashes of the definitions that `learn` reads. */
  unknown(drafts: readonly Draft[], others: Iterable<ContentHash> = []): readonly ContentHash[] {
    const unknown = new Set<ContentHash>()
    for (const { event } of drafts) {
      for (const hash of toolReferences(event)) if (!this.tool(hash)) unknown.add(hash)
      const skill = skillReference(event)
      if (skill !== null && !this.#isKnown(skill)) unknown.add(skill.hash)
    }
    for (const hash of others) if (!this.tool(hash)) unknown.add(hash)
    return [...unknown]
  }

  /** Adds definitions that were read from the log. */
  addStored(stored: ReadonlyMap<ContentHash, JsonValue>): void {
    for (const [hash, definition] of stored) this.#addStored(hash, definition)
  }

  #isKnown({ name, hash }: { readonly name: string; readonly hash: ContentHash }): boolean {
    return this.#catalog.skills.get(name)?.hash === hash || this.skill(hash) !== undefined
  }

  /** Adds a definition. One that was stored without its secrets keeps the hash it had with them. */
  #addStored(hash: ContentHash, definition: JsonValue): void {
    if (isSkillRecord(definition)) {
      const record = definition as unknown as SkillRecord
      this.#skills ??= new Map()
      if (!this.#isKnown({ name: record.name, hash })) this.#skills.set(hash, record)
      return
    }
    // Logs store the definitions of skills and tools together.
    if (!isObject(definition) || !('inputSchema' in definition)) return
    const tool = bindTool(definition as unknown as ToolDefinition)
    const isHidden = tool.hash !== hash && JSON.stringify(definition).includes(REDACTED)
    this.add(isHidden ? { ...tool, hash } : tool)
  }
}

/** A definition that the log may lack. */
interface UnwrittenDefinition {
  readonly hash: ContentHash
  /** Makes the stored form. */
  definition(): JsonValue
  /** Another session or process may have written it, and it is expensive to make: ask the log first. */
  readonly isShared?: true
}

/** The options of a host, with the definitions that are stored together with them. */
export interface RecordedSetup {
  readonly hash: ContentHash
  readonly options: JsonValue
  /** The catalog whose listing is stored. */
  readonly catalog: Catalog
  readonly initialSkills: readonly Skill[]
}

/** Returns the skill that an entry registers, activates, or accepts in a new version. */
function skillReference(event: WorkspaceEvent): { name: string; hash: ContentHash } | null {
  if (event.type === 'skill.registered') return { name: event.skill, hash: event.definition }
  const isOpening = event.type === 'source.accepted' || event.type === 'source.opened'
  if (!isOpening || event.definition === null) return null
  if (event.type === 'source.opened' && event.source !== 'skill') return null
  return { name: event.owner, hash: event.definition }
}

/** Returns the tools that an entry names. A found tool is shown to the model before its skill is active. */
function toolReferences(event: WorkspaceEvent): readonly ContentHash[] {
  switch (event.type) {
    case 'source.opened':
    case 'source.synced':
    case 'source.accepted':
      return event.claims.map(({ hash }) => hash)
    case 'tools_enabled':
      return event.tools.map(({ hash }) => hash)
    default:
      return []
  }
}
