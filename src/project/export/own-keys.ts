import type { Agent } from '../../skills/definition/agent.ts'
import { displayNameOf } from '../../skills/definition/display-name.ts'
import type { Lifetime, Skill } from '../../skills/definition/skill.ts'

/** Metadata of a file: text to text. */
type Metadata = Readonly<Record<string, string>>

/** What a skill says in our own keys, as its `SKILL.md` writes them; defaults are left out. */
export function ownSkillKeys(skill: Skill, topic?: string): Metadata {
  const { name, displayName, version, metadata, lifetime, onConflict } = skill
  return prefixed({
    aliases: phrases(skill.aliases),
    capabilities: phrases(skill.capabilities),
    conflicts: skill.conflicts.join(' '),
    'display-name': displayName === displayNameOf(name) ? '' : displayName,
    exclusive: skill.exclusive ? 'true' : '',
    extends: skill.extends.join(' '),
    lifetime: lifetime === 'session' ? '' : lifetimeText(lifetime),
    'on-conflict': onConflict === 'refuse' ? '' : onConflict,
    phrases: phrases(skill.triggers),
    requires: skill.requires.join(' '),
    tags: skill.tags.map((tag) => tag.replaceAll(/[\s,]+/g, '-')).join(' '),
    tools: skill.tools.filter((tool) => typeof tool === 'string').join(' '),
    toolsets: skill.toolsets.map((one) => (typeof one === 'string' ? one : one.name)).join(' '),
    topic: topic ?? '',
    version: version === '1.0.0' || metadata['version'] === version ? '' : version,
    'when-to-use': skill.whenToUse,
  })
}

/** What an agent says in our own keys, as its `AGENT.md` writes them. */
export function ownAgentKeys(agent: Agent): Metadata {
  const { name, displayName, discovery, pinned, tools, versions, mode, exclusive } = agent
  return prefixed({
    discovery: discovery ?? '',
    'display-name': displayName === displayNameOf(name) ? '' : displayName,
    exclusive: exclusive ? 'true' : '',
    mode: mode === 'text' ? '' : mode,
    pinned: pinned?.join(' ') ?? '',
    tools: tools?.join(' ') ?? '',
    versions: versions.join(' '),
  })
}

/** True for a phrase that a list parted by commas cannot hold as it is. */
export function isParted(phrase: string): boolean {
  return /[,\n]/.test(phrase)
}

function phrases(list: readonly string[]): string {
  const onOneLine = (phrase: string) =>
    phrase
      .split(/[,\n]/)
      .map((part) => part.trim())
      .join(' ')
  return list.map(onOneLine).join(', ')
}

function lifetimeText(lifetime: Exclude<Lifetime, 'session'>): string {
  if ('uses' in lifetime) return lifetime.uses === 1 ? 'once' : `${lifetime.uses} uses`
  return 'turns' in lifetime ? `${lifetime.turns} turns` : `idle ${lifetime.idle} turns`
}

function prefixed(keys: Metadata): Metadata {
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, text]) => (text === '' ? [] : [[`loadout.${key}`, text]])),
  )
}
