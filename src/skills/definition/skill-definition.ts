import { z } from 'zod'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Toolset } from '../../tools/toolset.ts'
import { definitionName } from './definition-name.ts'
import { lifetimeSchema } from './lifetime-schema.ts'
import type { Skill, SkillFile, SkillFileReader, SkillHook } from './skill.ts'

/** A file of a skill whose text is given in code; its size and digest are worked out. */
export interface InlineFile {
  readonly path: string
  readonly description?: string
  readonly text: string
}

/** What `defineSkill` takes: a name and a description; all else has a default. */
export interface SkillDefinition
  extends
    Pick<Skill, 'name' | 'description'>,
    Partial<Omit<Skill, 'name' | 'description' | 'files' | 'hash'>> {
  /** Files with their text, or files that `readFile` reads. */
  readonly files?: readonly (SkillFile | InlineFile)[]
}

const text = z.string('must be text')
const texts = z.array(text, 'must be a list of texts').optional()

const named = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'hash' in value &&
  typeof value.name === 'string'

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
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((member) => typeof member === 'string')

/** The runtime check of a `SkillDefinition`: validates only, its output is not used. */
export const skillDefinitionSchema = z.strictObject(
  {
    name: definitionName,
    description: text,
    displayName: text.optional(),
    version: text.min(1, 'must not be empty').optional(),
    capabilities: texts,
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
