import * as z from 'zod'
import { contentHash, textHash } from '../../kernel/content-hash.ts'
import type { FieldRules } from '../../kernel/check-fields.ts'
import { deepFreeze, isObject } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { conditionSchema } from './activation-condition.ts'
import { checkDefinition, invalidDefinition } from './check-definition.ts'
import { definitionName, displayNameOf } from './definition-name.ts'
import { lifetimeSchema } from './lifetime.ts'
import type { Skill, SkillFile, SkillFileReader, SkillHook } from './skill.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** A file of a skill with its text in code. Its size and digest are computed. */
export interface InlineFile {
  readonly path: string
  readonly description?: string
  readonly text: string
}

/** The definition of a skill. Only `name` and `description` are required; all other fields have defaults. */
export interface SkillDefinition
  extends
    Pick<Skill, 'name' | 'description'>,
    Partial<Omit<Skill, 'name' | 'description' | 'files' | 'hash'>> {
  /** Files with their text, or files that `readFile` reads. */
  readonly files?: readonly (SkillFile | InlineFile)[]
  /** Another name of `instructions`, from the reference. Only one of the two may be given. */
  readonly workDirection?: string
}

const text = z.string('must be text')

const texts = z.array(text, 'must be a list of texts').optional()

const reference = <T>(what: string) => {
  const one = z.custom<T | string>(
    (value) =>
      typeof value === 'string' ||
      (isObject(value) && 'hash' in value && typeof value['name'] === 'string'),
    { error: `must be a ${what}, or the name of one` },
  )
  return z.array(one, `must be a list of ${what}s or names`).optional()
}

const callable = <T>() =>
  z.custom<T>((value) => typeof value === 'function', { error: 'must be a function' }).optional()

/** Checks a `SkillDefinition` at run time. Its output is not used. */
const skillSchema = z.object({
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
  programs: texts,
  missingPrograms: texts,
  conflicts: texts,
  extends: texts,
  exclusive: z.boolean('must be true or false').optional(),
  lifetime: lifetimeSchema.optional(),
  servers: texts,
  connect: z.enum(['first-call', 'activation'], 'must be "first-call" or "activation"').optional(),
  aliases: texts,
  permissions: texts,
  disallowedTools: texts,
  onConflict: z
    .enum(['refuse', 'shadow', 'namespace'], 'must be "refuse", "shadow" or "namespace"')
    .optional(),
  arguments: z
    .array(text.regex(/^[A-Za-z_][\w-]*$/, 'must be a name of letters, digits, "_" and "-"'))
    .optional(),
  disableModelInvocation: z.boolean('must be true or false').optional(),
  userInvocable: z.boolean('must be true or false').optional(),
  fork: z
    .strictObject({ agent: text.optional(), model: text.optional(), effort: text.optional() })
    .optional(),
  paths: texts,
  when: conditionSchema.optional(),
  license: text.optional(),
  compatibility: text.optional(),
  metadata: z
    .custom(
      (value) => isObject(value) && Object.values(value).every((one) => typeof one === 'string'),
      { error: 'must be an object of texts' },
    )
    .optional(),
  baseDirectory: text.optional(),
  path: text.optional(),
  permissionsLine: z.int('must be a line').optional(),
  diagnostics: z.array(z.object({}), 'must be a list of diagnostics').optional(),
  readFile: callable<SkillFileReader>(),
  onActivate: callable<SkillHook>(),
  onDeactivate: callable<SkillHook>(),
})

const SKILL: FieldRules = {
  kind: 'a skill',
  subject: 'Skill',
  code: 'SKILL_INVALID',
  name: { field: 'name', fact: 'name' },
  fields: Object.keys(skillSchema.shape),
  synonyms: {
    id: 'name',
    title: 'displayName',
    prompt: 'instructions',
    system: 'instructions',
    body: 'instructions',
    content: 'instructions',
    allowedTools: 'permissions',
    dependencies: 'requires',
    references: 'files',
  },
  hint: 'Correct the field and define the skill again.',
}

/** The members that the hash of a skill covers: all except its paths, findings and code. */
type Readable = Omit<
  Skill,
  | 'hash'
  | 'path'
  | 'permissionsLine'
  | 'baseDirectory'
  | 'diagnostics'
  | 'missingPrograms'
  | 'readFile'
  | 'onActivate'
  | 'onDeactivate'
>

/**
 * Defines a skill, with defaults for all fields except its name and description.
 *
 * The skill is frozen at every depth and shares no list with the definition. Its hash does not cover the
 * folder it was read from, so the same skill has the same hash on every machine. Throws `SKILL_INVALID`
 * with `facts.field`.
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
  const { path, permissionsLine, baseDirectory, license, compatibility } = definition
  const { onActivate, onDeactivate } = definition
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
    // Only if they differ from the default, so that the hashes of other skills stay the same.
    ...((definition.arguments ?? []).length > 0 && {
      arguments: [...(definition.arguments ?? [])],
    }),
    ...(definition.disableModelInvocation === true && { disableModelInvocation: true }),
    ...((definition.programs ?? []).length > 0 && { programs: [...(definition.programs ?? [])] }),
    ...(definition.userInvocable === false && { userInvocable: false }),
    ...(definition.fork && { fork: { ...definition.fork } }),
    ...((definition.disallowedTools ?? []).length > 0 && {
      disallowedTools: [...(definition.disallowedTools ?? [])],
    }),
    ...((definition.paths ?? []).length > 0 && { paths: [...(definition.paths ?? [])] }),
    ...(definition.when && { when: structuredClone(definition.when) }),
    ...(definition.servers !== undefined &&
      definition.servers.length > 0 && { servers: [...definition.servers] }),
    ...(definition.connect === 'activation' && { connect: 'activation' }),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    // Without a prototype, keys such as `__proto__` are ordinary keys.
    metadata: Object.assign(Object.create(null), definition.metadata),
  }
  return deepFreeze<Skill>({
    ...readable,
    ...(path !== undefined && { path }),
    ...(permissionsLine !== undefined && { permissionsLine }),
    ...(baseDirectory !== undefined && { baseDirectory }),
    ...((definition.missingPrograms ?? []).length > 0 && {
      missingPrograms: [...(definition.missingPrograms ?? [])],
    }),
    diagnostics: [...(definition.diagnostics ?? [])],
    hash: hashSkill(readable),
    ...(readFile !== undefined && { readFile }),
    ...(onActivate !== undefined && { onActivate }),
    ...(onDeactivate !== undefined && { onDeactivate }),
  })
}

/**
 * Returns the members of a skill that its hash covers, as logs and manifests store them: without code, and
 * with the instructions under their earlier name `workDirection`, so that old hashes stay valid.
 */
export function storedSkill(skill: object): Readonly<Record<string, unknown>> {
  const members: [string, unknown][] = []
  for (const [name, value] of Object.entries(skill)) {
    if (UNRECORDED_MEMBERS.has(name)) continue
    members.push([name === 'instructions' ? 'workDirection' : name, value])
  }
  return Object.fromEntries(members)
}

/**
 * Members of a skill that are code, paths or findings. Models do not read them, so logs and manifests do not
 * store them, and comparisons of skills ignore them.
 */
export const UNRECORDED_MEMBERS: ReadonlySet<string> = new Set([
  'path',
  'permissionsLine',
  'baseDirectory',
  'diagnostics',
  'missingPrograms',
  'readFile',
  'onActivate',
  'onDeactivate',
])

function hashSkill(readable: Readable) {
  return contentHash({
    ...storedSkill(readable),
    tools: readable.tools.map((tool) => (typeof tool === 'string' ? tool : { hash: tool.hash })),
    toolsets: readable.toolsets.map((toolset) =>
      typeof toolset === 'string' ? toolset : { name: toolset.name, hash: toolset.hash },
    ),
  })
}

/**
 * Returns the listed files of a definition, and one reader for all of them.
 *
 * Only listed paths are passed to the given reader. Every other path throws `FILE_NOT_LISTED`, so that
 * paths with `..`, encodings or drives never reach a disk.
 */
function skillFiles({ name, files = [], readFile }: SkillDefinition): {
  readonly files: readonly SkillFile[]
  readonly readFile?: SkillFileReader
} {
  const listed = new Map<string, SkillFile>()
  const texts = new Map<string, string>()
  for (const file of files) {
    const problem = checkFile(file, listed.has(file.path), readFile !== undefined)
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

/** Returns what is wrong with a file; undefined for nothing. */
function checkFile(
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

/** Returns true if no part of a path leads out of its folder. */
function isInside(path: string): boolean {
  return (
    !path.includes('\0') &&
    path.split(/[/\\]/).every((part) => part !== '' && part !== '.' && part !== '..')
  )
}

/** Returns true for a path inside a skill that means the same file on every operating system. */
export function isSkillFilePath(path: string): boolean {
  return isInside(path) && !path.includes('\\') && !/^[A-Za-z]:/.test(path)
}

function fileNotListed(skill: string, path: string, known: readonly string[]): WorkspaceError {
  return new WorkspaceError('FILE_NOT_LISTED', `The skill "${skill}" lists no file "${path}".`, {
    facts: { skill, path, known },
    hint: `Its files: ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}.`,
  })
}
