import { contentHash } from '../../kernel/content-hash.ts'
import { deepFreeze } from '../../kernel/deep-freeze.ts'
import { checkDefinition } from './check-definition.ts'
import { displayNameOf } from './display-name.ts'
import type { Skill } from './skill.ts'
import { skillFiles } from './skill-files.ts'
import { type SkillDefinition, skillDefinitionSchema } from './skill-definition.ts'

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
  checkDefinition('skill', skillDefinitionSchema, definition)
  const { files, readFile } = skillFiles(definition)
  const { path, baseDirectory, license, compatibility, onActivate, onDeactivate } = definition
  const readable: Readable = {
    name: definition.name,
    displayName: definition.displayName ?? displayNameOf(definition.name),
    description: definition.description,
    version: definition.version ?? '1.0.0',
    capabilities: [...(definition.capabilities ?? [])],
    workDirection: definition.workDirection ?? '',
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

function hashOf(readable: Readable) {
  return contentHash({
    ...readable,
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
