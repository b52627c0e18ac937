import { isObject } from '../../../entries/kit.ts'
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type {
  CarnetVersion,
  SkillFileReference,
  ToolMetadata,
  WritableAgent,
  WritableManifest,
  WritableSkill,
  WritableTool,
  WritableToolset,
} from '../format/carnet-manifest.ts'
import { ConfigError, ParseError, ValidationError } from './carnet-error.ts'

/** A manifest of any version in the form of 0.3.0. */
interface CheckedManifest {
  readonly manifest: WritableManifest
  /** The version of Carnet that writes such manifests. */
  readonly version: CarnetVersion
  /** The tools of each toolset that describes them itself, by the toolset's key. */
  readonly inline: ReadonlyMap<string, ToolMetadata[]>
}

/**
 * Checks a value as a manifest. Returns a frozen copy with defaults and without unknown members.
 * A manifest of 0.3.1 has no member `tools`, or describes tools in their toolsets.
 *
 * Strict, as Carnet's class is: throws `ValidationError`, whose `context.error` lists every issue
 * with its path, as JSON. The check is one hand-written pass: each start of a process may check ten
 * thousand skills, and a schema library would take most of that time.
 */
export function checkManifest(given: unknown): CheckedManifest {
  const issues: ManifestIssue[] = []
  const described = new Map<string, ToolMetadata>()
  const isWithoutTools = isObject(given) && given['tools'] === undefined
  const root = new EntryReader([], issues).enter(given)
  const app = root.member('app')
  const manifest: WritableManifest = {
    version: root.number('version', 1),
    app: {
      globalInitialSkills: app.texts('globalInitialSkills', true),
      globalSkills: app.texts('globalSkills', true),
    },
    agents: root.record('agents', agentOf),
    skills: root.record('skills', (entry) => skillOf(entry, isWithoutTools)),
    toolsets: root.record('toolsets', (entry) => toolsetOf(entry, described)),
    tools: withDescribed(described, isWithoutTools ? {} : root.record('tools', toolOf, TOOL_NAME)),
  }
  if (issues.length === 0) {
    const version = isWithoutTools || described.size > 0 ? '0.3.1' : '0.3.0'
    const inline = version === '0.3.0' ? new Map() : inlineTools(manifest)
    return { manifest: Object.freeze(manifest), version, inline }
  }
  throw new ValidationError('Invalid manifest format', 'manifest', 'root', {
    error: JSON.stringify(issues, null, 2),
  })
}

function inlineTools({ toolsets, tools }: WritableManifest): CheckedManifest['inline'] {
  const inline = Object.entries(toolsets).map(([key, toolset]) => {
    const list = toolset.tools.map((name) => ({
      name,
      description: tools[name]?.description ?? '',
    }))
    return [key, list] as const
  })
  return new Map(inline)
}

/** Returns the tools of a manifest with those that only a toolset describes. */
function withDescribed(
  described: ReadonlyMap<string, ToolMetadata>,
  tools: Record<string, WritableTool>,
): Record<string, WritableTool> {
  if (described.size === 0) return tools
  const all: Record<string, WritableTool> = Object.create(null)
  for (const [name, tool] of described) all[name] = Object.freeze({ ...tool, content: '' })
  return Object.freeze(Object.assign(all, tools))
}

const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_]*$/

function agentOf(entry: EntryReader): WritableAgent {
  return {
    name: entry.filled('name'),
    description: entry.filled('description'),
    initialSkills: entry.texts('initialSkills', true),
    skills: entry.texts('skills', true),
    prompt: entry.text('prompt'),
  }
}

function skillOf(entry: EntryReader, isInline: boolean): WritableSkill {
  return {
    name: entry.filled('name'),
    description: entry.filled('description'),
    toolsets: entry.texts('toolsets', true),
    files: entry.list('files', (file) => fileOf(file, isInline)),
    content: entry.text('content'),
  }
}

function fileOf(entry: EntryReader, isTextOptional: boolean): SkillFileReference {
  return {
    path: entry.filled('path'),
    description: entry.filled('description'),
    content: entry.text('content', isTextOptional),
  }
}

function toolsetOf(entry: EntryReader, described: Map<string, ToolMetadata>): WritableToolset {
  return {
    name: entry.filled('name'),
    description: entry.filled('description'),
    tools: entry.toolNames('tools', described),
    content: entry.text('content'),
  }
}

function toolOf(entry: EntryReader): WritableTool {
  return {
    name: entry.named('name', TOOL_NAME),
    description: entry.filled('description'),
    content: entry.text('content'),
  }
}

/** One issue of a manifest, and its place. */
interface ManifestIssue {
  readonly code: 'invalid_type' | 'too_small' | 'invalid_format' | 'invalid_key'
  readonly path: readonly (string | number)[]
  readonly message: string
}

type Path = ManifestIssue['path']

/**
 * Reads the members of one object of a manifest one after the other. An invalid member is noted as
 * an issue and read as empty.
 *
 * One reader serves all entries of a kind: an object for each would cost more than reading.
 */
class EntryReader {
  readonly #parent: Path
  readonly #issues: ManifestIssue[]
  #value: Readonly<Record<string, unknown>> = {}
  #key: string | number | null = null

  constructor(parent: Path, issues: ManifestIssue[]) {
    this.#parent = parent
    this.#issues = issues
  }

  /** Starts reading a value; `key` is its place in the parent, null for the root. */
  enter(value: unknown, key: string | number | null = null): this {
    this.#key = key
    this.#value = isObject(value) ? value : {}
    if (!isObject(value)) this.#wrongType([], 'object', value)
    return this
  }

  text(key: string, optional = false): string {
    const value = this.#value[key]
    if (typeof value === 'string') return value
    if (optional && value === undefined) return ''
    this.#wrongType([key], 'string', value)
    return ''
  }

  /** Reads a text that must not be empty. */
  filled(key: string): string {
    const value = this.#value[key]
    if (value === '') this.#note('too_small', [key], 'must not be empty')
    return value === '' ? value : this.text(key)
  }

  named(key: string, pattern: RegExp): string {
    const value = this.text(key)
    if (typeof this.#value[key] === 'string' && !pattern.test(value)) {
      this.#note('invalid_format', [key], `must match ${pattern.source}`)
    }
    return value
  }

  number(key: string, absent: number): number {
    const value = this.#value[key]
    if (value === undefined) return absent
    if (typeof value === 'number' && Number.isFinite(value)) return value
    this.#wrongType([key], 'number', value)
    return absent
  }

  texts(key: string, optional: boolean): string[] {
    const value = this.#value[key]
    if (!Array.isArray(value)) {
      if (value !== undefined || !optional) this.#wrongType([key], 'array', value)
      return NO_ITEMS
    }
    value.forEach((one: unknown, index) => {
      if (typeof one !== 'string') this.#wrongType([key, index], 'string', one)
    })
    return Object.freeze([...value]) as string[]
  }

  /** Reads names of tools, or tools with name and description, which are added to `described`. */
  toolNames(key: string, described: Map<string, ToolMetadata>): string[] {
    const value = this.#value[key]
    if (!Array.isArray(value) || !value.some(isObject)) return this.texts(key, false)
    const reader = new EntryReader([...this.#path(), key], this.#issues)
    const names = value.map((one: unknown, index) => {
      const tool = reader.enter(one, index)
      const [name, description] = [tool.filled('name'), tool.filled('description')]
      if (!described.has(name)) described.set(name, { name, description })
      return name
    })
    return Object.freeze([...new Set(names)]) as string[]
  }

  list<T extends object>(key: string, read: (entry: EntryReader) => T): T[] {
    const value = this.#value[key]
    if (value === undefined) return NO_ITEMS
    if (!Array.isArray(value)) {
      this.#wrongType([key], 'array', value)
      return NO_ITEMS
    }
    if (value.length === 0) return NO_ITEMS
    const reader = new EntryReader([...this.#path(), key], this.#issues)
    const items = value.map((one, index) => Object.freeze(read(reader.enter(one, index))))
    return Object.freeze(items) as unknown as T[]
  }

  /** Reads a member as an object of its own; an absent member counts as empty. */
  member(key: string): EntryReader {
    const reader = new EntryReader([...this.#path(), key], this.#issues)
    const value = this.#value[key]
    return reader.enter(value === undefined ? {} : value)
  }

  /**
   * Reads entries by name into an object without a prototype, so that `constructor` is an ordinary
   * name.
   */
  record<T extends object>(
    key: string,
    read: (entry: EntryReader) => T,
    names?: RegExp,
  ): Record<string, T> {
    const entries: Record<string, T> = Object.create(null)
    const value = this.#value[key]
    if (!isObject(value)) {
      this.#wrongType([key], 'record', value)
      return entries
    }
    const reader = new EntryReader([...this.#path(), key], this.#issues)
    for (const name of Object.keys(value)) {
      if (name === '' || names?.test(name) === false) {
        this.#note('invalid_key', [key, name], 'cannot be a name')
      }
      entries[name] = Object.freeze(read(reader.enter(value[name], name)))
    }
    return Object.freeze(entries)
  }

  #wrongType(at: Path, expected: string, value: unknown): void {
    const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    this.#note('invalid_type', at, `Invalid input: expected ${expected}, received ${received}`)
  }

  #note(code: ManifestIssue['code'], at: Path, message: string): void {
    this.#issues.push({ code, path: [...this.#path(), ...at], message })
  }

  #path(): Path {
    return this.#key === null ? this.#parent : [...this.#parent, this.#key]
  }
}

const NO_ITEMS = Object.freeze([]) as unknown as never[]

/** Maximum size in bytes. A manifest of ten thousand skills has about twenty million. */
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Reads the JSON of a manifest's file without checking it. Only regular files are opened. Throws
 * `ConfigError` for a file that cannot be read, and `ParseError` with the line for one that is not
 * JSON.
 */
export async function readCarnetFile(file: string | URL): Promise<unknown> {
  const path = file instanceof URL ? fileURLToPath(file) : file
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error instanceof Error ? error.message : String(error))
  })
  if (!found.isFile()) throw unreadable(path, 'It is not a regular file.')
  if (found.size > MAX_BYTES)
    throw unreadable(path, `It has ${found.size} bytes; ${MAX_BYTES} are read.`)
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const position = /position (\d+)/.exec(reason)?.[1]
    const line = position && text.slice(0, Number(position)).split('\n').length
    throw new ParseError('The manifest is no JSON', path, line || undefined, { reason })
  }
}

function unreadable(path: string, reason: string): ConfigError {
  return new ConfigError('Cannot read the manifest', { path, reason })
}
