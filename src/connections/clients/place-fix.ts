import { basename, dirname, join, relative } from 'node:path'
import { member, readSettings } from './client-folders.ts'
import type { ClientName } from './client-profile.ts'
import type { ClientListing, ShownSkill, UnlistedSkill } from './list-as-client.ts'

/** The words of a client for its own folders and settings. */
interface ClientWords {
  /** The folder of a project in which it looks for skills. */
  readonly place: string
  /** Makes the text by which a person loads a skill. */
  readonly command: (name: string) => string
  /** The file with the settings of a project, or of the home. */
  readonly settings: string
}

export const CLIENT_WORDS: Readonly<Record<ClientName, ClientWords>> = {
  'claude-code': {
    place: '.claude/skills',
    command: (name) => `/${name}`,
    settings: '.claude/settings.json',
  },
  codex: {
    place: '.agents/skills',
    command: (name) => `$${name}`,
    settings: '~/.codex/config.toml',
  },
  opencode: { place: '.agents/skills', command: (name) => `/${name}`, settings: 'opencode.json' },
  pi: {
    place: '.agents/skills',
    command: (name) => `/skill:${name}`,
    settings: '.pi/settings.json',
  },
}

/** The folders that paths are written from. */
interface Folders {
  readonly folder: string
  readonly home: string | null
}

/** Returns the change after which a client finds a skill that is in a file which it does not read; or in none. */
export function placeFix(
  client: ClientName,
  name: string,
  file: string | null,
  folders: Folders,
): string {
  const target = `${CLIENT_WORDS[client].place}/${name}`
  if (file === null) return `Write ${target}/SKILL.md, with a name and a description.`
  const from = dirname(file)
  const isFolder = /^skill\.md$/i.test(basename(file))
  if (!isFolder) return `Move ${shown(file, folders)} to ${target}/SKILL.md.`
  const isMisspelt = basename(file) !== 'SKILL.md'
  const isThere = relative(folders.folder, from) === join(target)
  if (isMisspelt && isThere) return `Rename ${shown(file, folders)} to SKILL.md.`
  if (isMisspelt) return `Move ${shown(file, folders)} to ${target}/SKILL.md.`
  return `Move ${shown(from, folders)} to ${target}.`
}

/** Returns the change after which a client lists a skill that it finds and does not list. */
export function unlistedFix(
  client: ClientName,
  { name, path, outcome, reason, line }: UnlistedSkill,
  { budget }: ClientListing,
  folders: Folders,
): string {
  const file = shown(path, folders)
  const at = line === undefined ? file : `line ${line} of ${file}`
  const { command, settings } = CLIENT_WORDS[client]
  switch (outcome) {
    case 'no-room':
      return roomFix(client, budget.setting)
    case 'replaced': {
      const isByFolder = client === 'claude-code'
      return isByFolder
        ? `Rename the folder ${shown(dirname(path), folders)} to ${name}-2.`
        : `Write "name: ${name}-2" in the front matter of ${file}.`
    }
    case 'hidden': {
      const [, field] = /^"([\w-]+)" /.exec(reason) ?? []
      if (field !== undefined) return `Remove "${field}" from ${at}, or write ${command(name)}.`
      if (reason.startsWith('skillOverrides'))
        return `Remove "${name}" from "skillOverrides" in ${settings}.`
      if (reason.startsWith('permission.skill'))
        return `Remove the rule for "${name}" from permission.skill in ${settings}.`
      if (reason.startsWith('agents/openai.yaml'))
        return `Remove "allow_implicit_invocation: false" from ${join(dirname(file), 'agents', 'openai.yaml')}, or write ${command(name)}.`
      if (reason.startsWith('config.toml'))
        return `Remove the table [[skills.config]] of "${name}" from ${settings}.`
      return `Remove the pattern of "${name}" from "skills" in ${settings}.`
    }
    case 'dropped':
      return droppedFix(name, reason, file, at)
  }
}

/** The changes for reasons for which a client takes no skill from a file, by the words of the reason. */
function droppedFix(name: string, reason: string, file: string, at: string): string {
  const whole = `---, name: ${name}, description: …, ---`
  if (/no description|description is empty/.test(reason))
    return `Write "description:" and when to use the skill in the front matter of ${file}.`
  if (/no name|name is no text|"name" is not of the kind|its name is lost/.test(reason))
    return `Write "name: ${name}" in the front matter of ${file}.`
  if (/more than \d+ characters/.test(reason)) return `Shorten the name in ${at}.`
  if (/byte order mark/.test(reason))
    return `Remove the byte order mark from the beginning of ${file}.`
  if (/no front matter/.test(reason)) return `Begin ${file} with the lines ${whole}.`
  if (/not UTF-8/.test(reason)) return `Save ${file} in UTF-8.`
  if (/signs that the client does not show/.test(reason))
    return `Rename the folder ${dirname(file)}: letters, digits and hyphens.`
  if (/is no text|not of the kind/.test(reason)) return `Put the value in ${at} in quotes.`
  return `Correct the front matter in ${at}: put values with ": ", "[", "{", "@", "*" or "\`" in quotes.`
}

/** Returns the change after which a client shows the whole description of a skill that it cuts or leaves out. */
export function cutFix(
  client: ClientName,
  { name, path, line, reason }: ShownSkill,
  { budget }: ClientListing,
  folders: Folders,
): string {
  const { settings } = CLIENT_WORDS[client]
  if (reason.startsWith('skillOverrides'))
    return `Remove "${name}" from "skillOverrides" in ${settings}.`
  const [, limit] = /(?:^|; )cut from \d+ to (\d+) characters$/.exec(reason) ?? []
  const file = shown(path ?? '', folders)
  if (limit !== undefined && !/no (?:more )?room/.test(reason))
    return `Shorten the description in ${line === null ? file : `line ${line} of ${file}`} to ${limit} characters.`
  return roomFix(client, budget.setting)
}

function roomFix(client: ClientName, setting: string | undefined): string {
  const { settings } = CLIENT_WORDS[client]
  const [value] = /^"\w+": [\d.]+/.exec(setting ?? '') ?? []
  if (value !== undefined) return `Write ${value} in ${settings}.`
  if (client === 'codex')
    return `Turn off skills that you do not need: [[skills.config]] with their name and enabled = false in ${settings}.`
  return `Write a larger "skillListingBudgetFraction" in ${settings}.`
}

/** Returns the change after which a client lets its model load a skill that a rule, or a person, refused. */
export async function refusedFix(
  client: ClientName,
  name: string,
  folders: Folders,
): Promise<string> {
  const { command, settings } = CLIENT_WORDS[client]
  if (client === 'opencode')
    return `Remove the rule for "${name}" from permission.skill in ${settings}.`
  if (client !== 'claude-code') return `Write ${command(name)}, which loads it without a command.`
  const bases = [folders.folder, folders.home].filter((one) => one !== null)
  for (const base of bases) {
    for (const end of ['settings.json', 'settings.local.json']) {
      const file = join(base, '.claude', end)
      const { deny } = member(await readSettings(file), 'permissions')
      const rule = [deny].flat().find((one) => isRuleFor(one, name))
      if (rule !== undefined)
        return `Remove "${String(rule)}" from permissions.deny in ${shown(file, folders)}.`
    }
  }
  return `Write "Skill(${name})" in permissions.allow in ${settings}.`
}

function isRuleFor(rule: unknown, name: string): boolean {
  return (
    rule === 'Skill' ||
    [`Skill(${name})`, `Skill(${name}:*)`, `Skill(${name} *)`].includes(String(rule))
  )
}

/** Writes a path from the folder, or from the home, that it is in. */
function shown(path: string, { folder, home }: Folders): string {
  const inner = relative(folder, path)
  if (!inner.startsWith('..')) return inner
  const below = home === null ? '..' : relative(home, path)
  return below.startsWith('..') ? path : `~/${below}`
}
