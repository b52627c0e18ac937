import { z } from 'zod'
import { contentHash, textHash } from '../../kernel/content-hash.ts'
import type { DefinitionKind } from '../../kernel/definition-kind.ts'
import { deepFreeze, isObject } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { checkDefinition, invalidDefinition } from './check-definition.ts'
import { definitionName, displayNameOf } from './definition-name.ts'
import { lifetimeSchema } from './lifetime.ts'
import type { Skill, SkillFile, SkillFileReader, SkillHook } from './skill.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** A file of a skill whose text is given in code; its size and digest are worked out. */
export interface InlineFile {
  readonly path: string
  readonly description?: string
  readonly text: string
}

/** The fields of `defineSkill`: a name and a description; all else has a default. */
export interface SkillDefinition
  extends
    Pick<Skill, 'name' | 'description'>,
    Partial<Omit<Skill, 'name' | 'description' | 'files' | 'hash'>> {
  /** Files with their text, or files that `readFile` reads. */
  readonly files?: readonly (SkillFile | InlineFile)[]
  /** Another name of `instructions`; a skill has one of them. */
  readonly workDirection?: string
}

const text = z.string('must be text')

const texts = z.array(text, 'must be a list of texts').optional()

const named = (value: unknown): boolean =>
  isObject(value) && 'hash' in value && typeof value['name'] === 'string'

const reference = <T>(what: string) =>
  z
    .array(
      z.custom<T | string>((value) => typeof value === 'string' || named(value), {
        error: `must be a ${what}, or the name of one`,
      }),
      `must be a list of ${what}s or names`,
    )
    .optional()

const callable = <T>() =>
  z.custom<T>((value) => typeof value === 'function', { error: 'must be a function' }).optional()

const texted = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((member) => typeof member === 'string')

/** The runtime check of a `SkillDefinition`: validates only, its output is not used. */
const skillSchema = z.object(
  {
    name: definitionName,
    description: text,
    displayName: text.optional(),
    version: text.min(1, 'must not be empty').optional(),
    capabilities: texts,
    instructions: text.optional(),
    workDirection: text.optional(),
    tools: reference<Tool>('tool'),
    toolsets: reference<Toolset>('toolset'),
    files: z.array(z.looseObject({ path: text }), 'must be a list of files').optional(),
    triggers: texts,
    whenToUse: text.optional(),
    tags: texts,
    requires: texts,
    conflicts: texts,
    extends: texts,
    exclusive: z.boolean('must be true or false').optional(),
    lifetime: lifetimeSchema.optional(),
    aliases: texts,
    permissions: texts,
    onConflict: z
      .enum(['refuse', 'shadow', 'namespace'], 'must be "refuse", "shadow" or "namespace"')
      .optional(),
    license: text.optional(),
    compatibility: text.optional(),
    metadata: z.custom(texted, { error: 'must be an object of texts' }).optional(),
    baseDirectory: text.optional(),
    path: text.optional(),
    diagnostics: z.array(z.object({}), 'must be a list of diagnostics').optional(),
    readFile: callable<SkillFileReader>(),
    onActivate: callable<SkillHook>(),
    onDeactivate: callable<SkillHook>(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
)

const SKILL: DefinitionKind = {
  kind: 'a skill',
  subject: 'Skill',
  code: 'SKILL_INVALID',
  name: { field: 'name', fact: 'name' },
  fields: Object.keys(skillSchema.shape),
  hint: 'Correct the field and define the skill again.',
}

/** What a skill's hash covers: all of it but where it was read from, its findings and its code. */
type Readable = Omit<
  Skill,
  'hash' | 'path' | 'baseDirectory' | 'diagnostics' | 'readFile' | 'onActivate' | 'onDeactivate'
>

/**
 * Make a skill of a definition, with defaults for all but its name and description.
 *
 * The skill is frozen through and through and shares no list with the definition. Its hash
 * leaves out the folder it came from, so that the same skill on another machine is the same.
 * Throws `SKILL_INVALID` with `facts.field`.
 */
export function defineSkill(definition: SkillDefinition): Skill {
  checkDefinition(skillSchema, definition, SKILL)
  if (definition.instructions !== undefined && definition.workDirection !== undefined) {
    const problem = 'is another name of "instructions", which is also given'
    throw invalidDefinition(definition.name, 'workDirection', problem, {
      ...SKILL,
      hint: 'Keep one of the two.',
    })
  }
  const { files, readFile } = skillFiles(definition)
  const { path, baseDirectory, license, compatibility, onActivate, onDeactivate } = definition
  const readable: Readable = {
    name: definition.name,
    displayName: definition.displayName ?? displayNameOf(definition.name),
    description: definition.description,
    version: definition.version ?? '1.0.0',
    capabilities: [...(definition.capabilities ?? [])],
    instructions: definition.instructions ?? definition.workDirection ?? '',
    tools: [...(definition.tools ?? [])],
    toolsets: [...(definition.toolsets ?? [])],
    files,
    triggers: [...(definition.triggers ?? [])],
    whenToUse: definition.whenToUse ?? '',
    tags: [...(definition.tags ?? [])],
    requires: [...(definition.requires ?? [])],
    conflicts: [...(definition.conflicts ?? [])],
    extends: [...(definition.extends ?? [])],
    exclusive: definition.exclusive ?? false,
    lifetime: typeof definition.lifetime === 'object' ? { ...definition.lifetime } : 'session',
    aliases: [...(definition.aliases ?? [])],
    permissions: [...(definition.permissions ?? [])],
    onConflict: definition.onConflict ?? 'refuse',
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    metadata: withoutPrototype(definition.metadata ?? {}),
  }
  return deepFreeze<Skill>({
    ...readable,
    ...(path !== undefined && { path }),
    ...(baseDirectory !== undefined && { baseDirectory }),
    diagnostics: [...(definition.diagnostics ?? [])],
    hash: hashOf(readable),
    ...(readFile !== undefined && { readFile }),
    ...(onActivate !== undefined && { onActivate }),
    ...(onDeactivate !== undefined && { onDeactivate }),
  })
}

/**
 * The members of a skill that a hash covers, in the form that logs and manifests keep: without code,
 * and with the instructions under their first name, `workDirection`, so that old hashes stay valid.
 */
export function storedSkill(skill: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(skill).flatMap(([name, value]) => {
      if (UNRECORDED_MEMBERS.has(name)) return []
      return [[name === 'instructions' ? 'workDirection' : name, value]]
    }),
  )
}

/**
 * Members of a skill that are code, or say where it was read and what was found: nothing a model
 * reads, so neither logs nor manifests keep them, and they make no difference between two skills.
 */
export const UNRECORDED_MEMBERS: ReadonlySet<string> = new Set([
  'path',
  'baseDirectory',
  'diagnostics',
  'readFile',
  'onActivate',
  'onDeactivate',
])

function hashOf(readable: Readable) {
  return contentHash({
    ...storedSkill(readable),
    tools: readable.tools.map((tool) => (typeof tool === 'string' ? tool : { hash: tool.hash })),
    toolsets: readable.toolsets.map((toolset) =>
      typeof toolset === 'string' ? toolset : { name: toolset.name, hash: toolset.hash },
    ),
  })
}

/** Keys such as `__proto__` are kept as plain keys. */
function withoutPrototype(entries: Readonly<Record<string, string>>): Record<string, string> {
  const copy: Record<string, string> = Object.create(null)
  for (const [key, value] of Object.entries(entries)) copy[key] = value
  return copy
}

/**
 * The files of a definition as a skill lists them, and the one reader for all of them.
 *
 * Whatever the supplied reader would do, only listed paths reach it: `FILE_NOT_LISTED` for
 * every other one, so no trick with `..`, encodings or drives ever meets a disk.
 */
function skillFiles({ name, files = [], readFile }: SkillDefinition): {
  readonly files: readonly SkillFile[]
  readonly readFile?: SkillFileReader
} {
  const listed = new Map<string, SkillFile>()
  const texts = new Map<string, string>()
  for (const file of files) {
    const problem = problemOf(file, listed.has(file.path), readFile !== undefined)
    if (problem !== undefined) {
      throw invalidDefinition(name, 'files', problem, SKILL, `files: ${file.path}`)
    }
    listed.set(file.path, listing(file))
    if ('text' in file) texts.set(file.path, file.text)
  }
  if (listed.size === 0) return { files: [] }
  return {
    files: [...listed.values()],
    async readFile(path, signal) {
      if (!listed.has(path)) throw fileNotListed(name, path, [...listed.keys()])
      const text = texts.get(path)
      if (text !== undefined) return text
      if (readFile === undefined) throw fileNotListed(name, path, [...texts.keys()])
      return readFile(path, signal)
    },
  }
}

function listing(file: SkillFile | InlineFile): SkillFile {
  const description = file.description === undefined ? {} : { description: file.description }
  return 'text' in file
    ? {
        path: file.path,
        ...description,
        size: new TextEncoder().encode(file.text).byteLength,
        hash: textHash(file.text),
      }
    : { path: file.path, ...description, size: file.size, hash: file.hash }
}

function problemOf(
  file: SkillFile | InlineFile,
  repeated: boolean,
  readable: boolean,
): string | undefined {
  if (!('text' in file ? isSkillFilePath : isInside)(file.path)) {
    return 'must be a path inside the skill, such as "references/guide.md"'
  }
  if (repeated) return 'is listed twice'
  if (file.description !== undefined && typeof file.description !== 'string') {
    return 'must have a description that is text'
  }
  if ('text' in file) return typeof file.text === 'string' ? undefined : 'must have text'
  if (!Number.isSafeInteger(file.size) || file.size < 0) return 'must have its size in bytes'
  if (typeof file.hash !== 'string') return 'must have its digest as hash'
  return readable ? undefined : 'has no text, and the skill has no readFile'
}

/** No step leads out of the folder; what a loader listed is a file that exists on this system. */
function isInside(path: string): boolean {
  return (
    !path.includes('\0') &&
    path.split(/[/\\]/).every((part) => part !== '' && part !== '.' && part !== '..')
  )
}

/** True for a path inside a skill that means the same file on every system. */
export function isSkillFilePath(path: string): boolean {
  return isInside(path) && !path.includes('\\') && !/^[A-Za-z]:/.test(path)
}

function fileNotListed(skill: string, path: string, known: readonly string[]): WorkspaceError {
  return new WorkspaceError('FILE_NOT_LISTED', `The skill "${skill}" lists no file "${path}".`, {
    facts: { skill, path, known },
    hint: `Its files: ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}.`,
  })
}
