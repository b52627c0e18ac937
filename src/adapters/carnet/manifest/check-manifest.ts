import { isObject } from '../../../kernel/json-value.ts'
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type {
  SkillFileReference,
  WritableAgent,
  WritableManifest,
  WritableSkill,
  WritableTool,
  WritableToolset,
} from '../format/carnet-manifest.ts'
import { ConfigError, ParseError, ValidationError } from './carnet-error.ts'

/**
 * Checks a value as a manifest. Returns a frozen copy with defaults and without unknown members.
 *
 * Strict, as Carnet's class is: throws `ValidationError`, whose `context.error` lists every issue
 * with its path, as JSON. The check is one hand-written pass: each start of a process may check ten
 * thousand skills, and a schema library would take most of that time.
 */
export function checkManifest(given: unknown): WritableManifest {
  const issues: ManifestIssue[] = []
  const root = new EntryReader([], issues).enter(given)
  const app = root.member('app')
  const manifest: WritableManifest = {
    version: root.number('version', 1),
    app: {
      globalInitialSkills: app.texts('globalInitialSkills', true),
      globalSkills: app.texts('globalSkills', true),
    },
    agents: root.record('agents', agentOf),
    skills: root.record('skills', skillOf),
    toolsets: root.record('toolsets', toolsetOf),
    tools: root.record('tools', toolOf, TOOL_NAME),
  }
  if (issues.length === 0) return Object.freeze(manifest)
  throw new ValidationError('Invalid manifest format', 'manifest', 'root', {
    error: JSON.stringify(issues, null, 2),
  })
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

function skillOf(entry: EntryReader): WritableSkill {
  return {
    name: entry.filled('name'),
    description: entry.filled('description'),
    toolsets: entry.texts('toolsets', true),
    files: entry.list('files', fileOf),
    content: entry.text('content'),
  }
}

function fileOf(entry: EntryReader): SkillFileReference {
  return {
    path: entry.filled('path'),
    description: entry.filled('description'),
    content: entry.text('content'),
  }
}

function toolsetOf(entry: EntryReader): WritableToolset {
  return {
    name: entry.filled('name'),
    description: entry.filled('description'),
    tools: entry.texts('tools', false),
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

  text(key: string): string {
    const value = this.#value[key]
    if (typeof value === 'string') return value
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
  if (!found.isFile()) throw unreadable(path, 'It is no regular file.')
  if (found.size > MAX_BYTES)
    throw unreadable(path, `It has ${found.size} bytes; ${MAX_BYTES} are read.`)
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ParseError('The manifest is no JSON', path, lineOf(text, reason), { reason })
  }
}

function unreadable(path: string, reason: string): ConfigError {
  return new ConfigError('Cannot read the manifest', { path, reason })
}

/** Returns the line of the position in the parser's message, if it has one. */
function lineOf(text: string, reason: string): number | undefined {
  const position = /position (\d+)/.exec(reason)?.[1]
  return position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length
}
