import { basename, dirname, join, relative } from 'node:path'
import { member, readSettings } from './client-folders.ts'
import type { ClientName, ReasonCode } from './client-profile.ts'
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
  'gemini-cli': {
    place: '.agents/skills',
    command: (name) => `/${name}`,
    settings: '.gemini/settings.json',
  },
  'qwen-code': {
    place: '.agents/skills',
    command: (name) => `/${name}`,
    settings: '.qwen/settings.json',
  },
}

/** The folders that paths are written from. */
export interface Folders {
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
  if (!isFolder) return `Move ${pathFrom(file, folders)} to ${target}/SKILL.md.`
  const isMisspelt = basename(file) !== 'SKILL.md'
  const isThere = relative(folders.folder, from) === join(target)
  if (isMisspelt && isThere) return `Rename ${pathFrom(file, folders)} to SKILL.md.`
  if (isMisspelt) return `Move ${pathFrom(file, folders)} to ${target}/SKILL.md.`
  return `Move ${pathFrom(from, folders)} to ${target}.`
}

/** The skill that a fix is about. */
interface FixedSkill {
  readonly client: ClientName
  readonly name: string
  /** Its file, its folder, and the line of the file where there is one, as a person reads them. */
  readonly file: string
  readonly folder: string
  readonly at: string
  readonly limit: number | undefined
  readonly setting: string | undefined
}

/** The change for each reason for which a client does not list a skill, or shows less of it. */
export const REASON_FIXES: Readonly<Record<ReasonCode, (of: FixedSkill) => string>> = {
  'block-text': ({ at }) => `Write the description in ${at} in one line.`,
  'byte-order-mark': ({ file }) => `Remove the byte order mark from the beginning of ${file}.`,
  'closing-tag': ({ at }) => `Remove the closing tag from the description in ${at}.`,
  'config-table': ({ client, name }) =>
    `Remove the table [[skills.config]] of "${name}" from ${CLIENT_WORDS[client].settings}.`,
  'control-character': ({ at }) => `Remove the control character from ${at}.`,
  'disable-model-invocation': fieldFix('disable-model-invocation'),
  'ignored-by-line': ({ file }) =>
    `Remove the line that leaves out ${file} from .gitignore, .ignore or .fdignore.`,
  'implicit-invocation': ({ client, name, folder }) =>
    `Remove "allow_implicit_invocation: false" from ${join(folder, 'agents', 'openai.yaml')}, or write ${CLIENT_WORDS[client].command(name)}.`,
  'invalid-yaml': ({ at }) =>
    `Correct the front matter in ${at}: put values with ": ", "[", "{", "@", "*" or "\`" in quotes.`,
  'long-description': ({ at, limit = 0 }) =>
    `Shorten the description in ${at} to ${limit} characters.`,
  'long-name': ({ at }) => `Shorten the name in ${at}.`,
  'name-with-signs': ({ folder }) => `Rename the folder ${folder}: letters, digits and hyphens.`,
  'no-description': ({ file }) =>
    `Write "description:" and when to use the skill in the front matter of ${file}.`,
  'no-front-matter': ({ name, file }) =>
    `Begin ${file} with the lines ---, name: ${name}, description: …, ---.`,
  'no-name': ({ name, file }) => `Write "name: ${name}" in the front matter of ${file}.`,
  'no-room': ({ client, setting }) => roomFix(client, setting),
  'no-yaml': ({ at }) => `Write --- alone in ${at}, and the fields as YAML.`,
  'not-a-list': ({ at }) =>
    `Write the values of ${at} below the field, one a line, each after two spaces and "- ".`,
  'not-utf-8': ({ file }) => `Save ${file} in UTF-8.`,
  'other-products': ({ folder }) =>
    `Add "codex" to "products" in ${join(folder, 'agents', 'openai.yaml')}.`,
  paths: fieldFix('paths'),
  'paths-outside': ({ at }) => `Write paths below the project in ${at}.`,
  'permission-rule': ({ client, name }) =>
    `Remove the rule for "${name}" from permission.skill in ${CLIENT_WORDS[client].settings}.`,
  'refused-name': ({ at }) => `Write a name of letters, digits and hyphens in ${at}.`,
  'same-folder-name': ({ name, folder }) => `Rename the folder ${folder} to ${name}-2.`,
  'same-name': ({ name, file }) => `Write "name: ${name}-2" in the front matter of ${file}.`,
  'settings-pattern': ({ client, name }) =>
    `Remove the pattern of "${name}" from "skills" in ${CLIENT_WORDS[client].settings}.`,
  'skill-overrides': ({ client, name }) =>
    `Remove "${name}" from "skillOverrides" in ${CLIENT_WORDS[client].settings}.`,
  'skill-tool-denied': ({ client }) =>
    `Remove the rule against the tool Skill from permissions.deny in ${CLIENT_WORDS[client].settings}.`,
  'skills-disabled': ({ client, name }) =>
    `Remove "${name}" from skills.disabled in ${CLIENT_WORDS[client].settings}, of the project or of the home.`,
  'skills-off': ({ client }) =>
    `Remove "enabled": false from "skills" in ${CLIENT_WORDS[client].settings}, of the project or of the home.`,
  'wrong-kind': ({ at }) => `Put the value in ${at} in quotes.`,
}

function fieldFix(field: string): (of: FixedSkill) => string {
  return ({ client, name, at }) =>
    `Remove "${field}" from ${at}, or write ${CLIENT_WORDS[client].command(name)}.`
}

/** Returns the change after which a client lists a skill with all of its description; empty without a reason. */
export function listFix(
  client: ClientName,
  skill: UnlistedSkill | ShownSkill,
  { budget: { setting } }: ClientListing,
  folders: Folders,
): string {
  const { name, path, code, line } = skill
  if (code === null) return ''
  const file = pathFrom(path ?? '', folders)
  return REASON_FIXES[code]({
    client,
    name,
    file,
    folder: dirname(file),
    at: line === undefined || line === null ? file : `line ${line} of ${file}`,
    limit: 'limit' in skill ? skill.limit : undefined,
    setting,
  })
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
        return `Remove "${String(rule)}" from permissions.deny in ${pathFrom(file, folders)}.`
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
export function pathFrom(path: string, { folder, home }: Folders): string {
  const inner = relative(folder, path)
  if (!inner.startsWith('..')) return inner
  const below = home === null ? '..' : relative(home, path)
  return below.startsWith('..') ? path : `~/${below}`
}
