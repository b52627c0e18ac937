import { stringify } from 'yaml'
import type { Agent, Lifetime, Skill, Tool, Toolset } from '../../../entries/index.ts'
import { canonicalJson, displayNameOf, firstSentence } from '../../../entries/kit.ts'

interface SkillFileOptions {
  /** The topic of its own tools that name none. */
  readonly topic?: string
  /** Also write the descriptions of its files, which the open format has no field for. */
  readonly describesFiles?: boolean
}

/**
 * Returns the `SKILL.md` of a skill in the fields of the open format; Loadout's own keys are in its
 * metadata.
 */
export function skillFileText(
  skill: Skill,
  { topic, describesFiles = false }: SkillFileOptions = {},
): string {
  const { name, description, license, compatibility, permissions, instructions } = skill
  const metadata = { ...skill.metadata, ...skillMetadataFields(skill, topic) }
  const files = describesFiles
    ? skill.files.flatMap(({ path, description }) =>
        description === undefined || description === path ? [] : [{ path, description }],
      )
    : []
  const fields = {
    name,
    description,
    license,
    compatibility,
    'disable-model-invocation': skill.disableModelInvocation,
    'user-invocable': skill.userInvocable,
    context: skill.fork && 'fork',
    agent: skill.fork?.agent,
    model: skill.fork?.model,
    effort: skill.fork?.effort,
    'allowed-tools': permissions.length === 0 ? undefined : permissions.join(' '),
    'disallowed-tools': skill.disallowedTools?.join(' '),
    arguments: skill.arguments?.join(' '),
    paths: skill.paths,
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    files: files.length === 0 ? undefined : files,
  }
  return frontMatterText(fields, instructions)
}

/**
 * Returns the `AGENT.md` of an agent. Its skills are always listed: an absent list would mean all
 * skills.
 */
export function agentFileText(agent: Agent): string {
  const { name, description, initialSkills, skills, prompt } = agent
  const own = agentMetadataFields(agent)
  const fields = {
    name,
    description: description === '' ? undefined : description,
    initialSkills,
    skills: skills === '*' ? '*' : skills,
    disallowedTools: agent.disallowedTools?.join(', '),
    metadata: Object.keys(own).length === 0 ? undefined : own,
  }
  return frontMatterText(fields, prompt)
}

/**
 * Returns the `TOOLSET.md` of a toolset, which lists its tools. Its rules are in a file of their
 * own.
 */
export function toolsetFileText({ name, description, tools, instructions }: Toolset): string {
  const names = tools.map((tool) => (typeof tool === 'string' ? tool : tool.name))
  return frontMatterText({ name, description, tools: names }, instructions)
}

/**
 * Returns the files of a tool folder that define this tool, by path in the folder, without its
 * code. Reading them gives the same definition.
 */
export function toolFolderFiles(tool: Tool): ReadonlyMap<string, string> {
  const { name, version, description, inputSchema, outputSchema, modes } = tool
  const isSaid = (field: NonNullable<Tool['byDefault']>[number]) =>
    tool.byDefault?.includes(field) !== true
  const schema = {
    toolId: name,
    version,
    category: isSaid('category') ? tool.category : undefined,
    description,
    parameters: inputSchema,
    output: outputSchema,
    idempotent: isSaid('idempotent') ? tool.idempotent : undefined,
    requiresConfirmation: tool.requiresConfirmation,
    allowedModes: modes,
    latencyBudgetMs: tool.latencyMs,
    background: tool.background,
    polling: tool.polling,
    strict: tool.strict,
    inputExamples: tool.inputExamples,
    providerOptions: tool.providerOptions,
    annotations: tool.annotations,
    risk: isSaid('risk') ? tool.risk : undefined,
    topic: tool.topic,
    phrases: tool.phrases.length === 0 ? undefined : tool.phrases,
    related: tool.related.length === 0 ? undefined : tool.related,
    guidance: tool.guidance,
    extraction: tool.extraction,
  }
  const { documentation = '' } = tool
  return new Map([
    ['schema.json', `${JSON.stringify(JSON.parse(canonicalJson(defined(schema))), null, 2)}\n`],
    ...(tool.summary === firstSentence(description)
      ? []
      : ([['doc_summary.md', `${tool.summary}\n`]] as const)),
    ...(documentation === '' ? [] : ([['doc.md', `${documentation}\n`]] as const)),
  ])
}

function defined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/**
 * Returns a file of front matter and Markdown. Its YAML is the plain form that the reference
 * validator of the Agent Skills specification accepts: one field per line or block, no flow style
 * for non-empty values.
 */
export function frontMatterText(fields: Readonly<Record<string, unknown>>, body: string): string {
  const yaml = stringify(defined(fields), { lineWidth: 0, aliasDuplicateObjects: false })
  return `---\n${yaml}---\n${body.trim() === '' ? '' : `\n${body.trimEnd()}\n`}`
}

/** Metadata of a file: text to text. */
type Metadata = Readonly<Record<string, string>>

/** Returns the metadata of a skill in Loadout's own keys; defaults are left out. */
function skillMetadataFields(skill: Skill, topic?: string): Metadata {
  const { name, displayName, version, metadata, lifetime, onConflict } = skill
  return prefixed({
    aliases: phraseList(skill.aliases),
    capabilities: phraseList(skill.capabilities),
    conflicts: skill.conflicts.join(' '),
    connect: skill.connect ?? '',
    'display-name': displayName === displayNameOf(name) ? '' : displayName,
    exclusive: skill.exclusive ? 'true' : '',
    extends: skill.extends.join(' '),
    lifetime: lifetime === 'session' ? '' : lifetimeText(lifetime),
    'on-conflict': onConflict === 'refuse' ? '' : onConflict,
    phrases: phraseList(skill.triggers),
    programs: skill.programs?.join(' ') ?? '',
    requires: skill.requires.join(' '),
    tags: skill.tags.map((tag) => tag.replaceAll(/[\s,]+/g, '-')).join(' '),
    tools: skill.tools.filter((tool) => typeof tool === 'string').join(' '),
    toolsets: skill.toolsets.map((one) => (typeof one === 'string' ? one : one.name)).join(' '),
    topic: topic ?? '',
    ...conditionFields(skill.when),
    version: version === '1.0.0' || metadata['version'] === version ? '' : version,
    'when-to-use': skill.whenToUse,
  })
}

/** Returns a text for each member of a condition. */
function conditionFields(when: Skill['when'] = {}): Metadata {
  const { calls = [], paths = [], mode = [], principal = [], event = [] } = when
  return {
    'when.calls': calls
      .map(({ tool, status }) => (status === undefined ? tool : `${tool}:${status}`))
      .join(' '),
    'when.event': event.join(' '),
    'when.mode': mode.join(' '),
    'when.paths': paths.join(', '),
    'when.principal': principal.join(' '),
  }
}

/** Returns the metadata of an agent in Loadout's own keys. */
function agentMetadataFields(agent: Agent): Metadata {
  const { name, displayName, discovery, pinned, tools, versions, mode, exclusive } = agent
  return prefixed({
    discovery: discovery ?? '',
    'display-name': displayName === displayNameOf(name) ? '' : displayName,
    exclusive: exclusive ? 'true' : '',
    mode: mode ?? '',
    pinned: pinned?.join(' ') ?? '',
    tools: tools?.join(' ') ?? '',
    versions: versions.join(' '),
  })
}

/** Returns true for a phrase that a comma-separated list cannot contain unchanged. */
export function hasListSeparator(phrase: string): boolean {
  return /[,\n]/.test(phrase)
}

function phraseList(list: readonly string[]): string {
  const lines = list.map((phrase) => phrase.split(/[,\n]/).map((part) => part.trim()))
  return lines.map((parts) => parts.join(' ')).join(', ')
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
