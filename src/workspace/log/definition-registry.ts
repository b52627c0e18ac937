import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Draft, WorkspaceEvent } from '../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import { REDACTED, type Redactor } from '../../kernel/redactor.ts'
import {
  isSkillRecord,
  skillRecord,
  type SkillRecord,
} from '../../skills/definition/skill-record.ts'
import { bindTool, toolDefinition } from '../../tools/definition/make-tool.ts'
import type { Tool, ToolDefinition } from '../../tools/definition/tool.ts'
import type { AnyLog, EventLog } from './event-log.ts'
import { type MaybeAsync, waitFor } from './maybe-async.ts'

/** The definitions that this process has written to each log since the log was pruned, so that it writes each one once. */
const written = new WeakMap<
  EventLog,
  { readonly epoch: string; readonly hashes: Set<ContentHash> }
>()

/**
 * The definitions of a session, by hash: those of the catalog, those registered while the session is
 * open, and those that only the log has. Handlers are those of an owner, so they are not looked up here.
 */
export class DefinitionRegistry {
  readonly #catalog: Catalog
  readonly #log: EventLog
  readonly #redactor: Redactor | undefined
  /** Definitions that the catalog does not have. */
  readonly #others = new Map<ContentHash, Tool>()
  /** Skills that the catalog has in another version, or no longer. Created with the first. */
  #skills: Map<ContentHash, SkillRecord> | undefined

  constructor(catalog: Catalog, log: EventLog, redactor?: Redactor) {
    this.#catalog = catalog
    this.#log = log
    this.#redactor = redactor
  }

  tool(hash: ContentHash): Tool | undefined {
    return this.#catalog.toolsByHash.get(hash) ?? this.#others.get(hash)
  }

  /** Returns a skill in the version that the session activated, when the catalog no longer has that one. */
  skill(hash: ContentHash): SkillRecord | undefined {
    return this.#skills?.get(hash)
  }

  /** Adds the definition of a tool, before an entry names it. */
  add(tool: Tool): void {
    if (this.tool(tool.hash) === undefined) this.#others.set(tool.hash, tool)
  }

  /** Writes the definitions that entries name to the log, unless it has them. */
  *keep(drafts: readonly Draft[], { definitions }: AnyLog): MaybeAsync<void> {
    for (const [hash, definition] of this.#missing(drafts)) {
      yield definitions.put(hash, this.#redacted(definition))
      this.#noteWritten(hash)
    }
  }

  #redacted(definition: JsonValue): JsonValue {
    return this.#redactor?.texts(definition) ?? definition
  }

  /** Yields one definition at a time: one that another append writes meanwhile is left out. */
  *#missing(drafts: readonly Draft[]): Generator<readonly [ContentHash, JsonValue]> {
    const isWritten = (hash: ContentHash) => this.#written().has(hash)
    for (const { event } of drafts) {
      const isOpening = event.type === 'source.opened' || event.type === 'source.accepted'
      const skill =
        isOpening && event.definition !== null ? this.#catalog.skills.get(event.owner) : undefined
      if (skill && !isWritten(skill.hash)) yield [skill.hash, skillRecord(skill)]
      for (const hash of toolReferences(event)) {
        const tool = isWritten(hash) ? undefined : this.tool(hash)
        if (tool) yield [hash, toolDefinition(tool) as unknown as JsonValue]
      }
    }
  }

  #noteWritten(hash: ContentHash): void {
    this.#written().add(hash)
  }

  #written(): Set<ContentHash> {
    const { epoch = '' } = this.#log.definitions
    const known = written.get(this.#log)
    if (known?.epoch === epoch) return known.hashes
    const hashes = new Set<ContentHash>()
    written.set(this.#log, { epoch, hashes })
    return hashes
  }

  /** Reads from the log the definitions that entries name and this process does not know. */
  *learn(drafts: readonly Draft[], { definitions }: AnyLog): MaybeAsync<void> {
    for (const hash of this.#unknown(drafts)) {
      this.#addStored(hash, yield* waitFor(definitions.get(hash)))
    }
  }

  /** Reads from the log the definitions with these hashes that this process does not know. */
  async learnHashes(hashes: Iterable<ContentHash>): Promise<void> {
    const unknown = [...hashes].filter((hash) => !this.tool(hash))
    await Promise.all(
      unknown.map(async (hash) => this.#addStored(hash, await this.#log.definitions.get(hash))),
    )
  }

  *#unknown(drafts: readonly Draft[]): Generator<ContentHash> {
    for (const { event } of drafts) {
      for (const hash of toolReferences(event)) if (!this.tool(hash)) yield hash
      const skill = skillReference(event)
      if (skill !== null && !this.#isKnown(skill)) yield skill.hash
    }
  }

  #isKnown({ name, hash }: { readonly name: string; readonly hash: ContentHash }): boolean {
    return this.#catalog.skills.get(name)?.hash === hash || this.skill(hash) !== undefined
  }

  /** Adds a definition. One that was stored without its secrets keeps the hash it had with them. */
  #addStored(hash: ContentHash, definition: JsonValue | undefined): void {
    if (isSkillRecord(definition)) {
      const record = definition as unknown as SkillRecord
      this.#skills ??= new Map()
      if (!this.#isKnown({ name: record.name, hash })) this.#skills.set(hash, record)
      return
    }
    if (!isTool(definition)) return
    const tool = bindTool(definition as unknown as ToolDefinition)
    const isHidden = tool.hash !== hash && JSON.stringify(definition).includes(REDACTED)
    this.add(isHidden ? { ...tool, hash } : tool)
  }
}

/** Logs store the definitions of skills and tools together. */
function isTool(definition: JsonValue | undefined): boolean {
  return typeof definition === 'object' && definition !== null && 'inputSchema' in definition
}

/** Returns the skill that an entry activates, or accepts in a new version. */
function skillReference(event: WorkspaceEvent): { name: string; hash: ContentHash } | null {
  const isOpening = event.type === 'source.accepted' || event.type === 'source.opened'
  if (!isOpening || event.definition === null) return null
  if (event.type === 'source.opened' && event.source !== 'skill') return null
  return { name: event.owner, hash: event.definition }
}

/** Returns the tools that an entry names. A found tool is shown to the model before its skill is active. */
function toolReferences(event: WorkspaceEvent): readonly ContentHash[] {
  if (event.type === 'tools_enabled') return event.tools.map(({ hash }) => hash)
  const isOpening = event.type === 'source.opened' || event.type === 'source.accepted'
  return isOpening ? event.claims.map(({ hash }) => hash) : []
}
