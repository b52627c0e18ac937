import { homedir } from 'node:os'
import { relative } from 'node:path'
import type { PermissionRule } from '../../../entries/index.ts'
import { isObject, matchesPattern, type Rule } from '../../../entries/kit.ts'
import { readAllowedTool } from '../../../engine/standing/allowed-tool.ts'
import { firstImpossible } from '../../../engine/model/policy.ts'
import { type ImportItem, leftItem } from './imported.ts'

/** Rules for a configuration. */
export interface ImportedRules {
  readonly deny: readonly Rule[]
  readonly ask: readonly Rule[]
}

/** A rule as settings write it: `Bash(git push:*)` has the tool `Bash` and the argument `git push:*`. */
interface ClientRule {
  readonly text: string
  readonly tool: string
  readonly argument: string | undefined
}

/** The rules here for one rule there. `asks` covers what `rules` cannot say of it. */
interface Converted {
  readonly rules: readonly Rule[]
  readonly asks: readonly Rule[]
}

/**
 * Converts the permissions in the settings of Claude Code: what is denied or asked about there is denied or
 * asked about here. A rule about arguments that cannot be expressed becomes a question for each call of the tool,
 * and settings that cannot be read become a question for every call.
 *
 * Tools that are allowed beforehand are not imported: a tool that is neither denied nor asked about may be called.
 * Values of the environment are not imported, since they may be secrets.
 *
 * @param project the folder that has the settings: an absolute path may be one below it
 * @param overrides gets the skills that are turned on and off, for `overriddenSkills`: later settings precede earlier ones
 */
export function claudePermissions(
  settings: Readonly<Record<string, unknown>>,
  from: string,
  project: string,
  overrides = new Map<string, unknown>(),
): ImportedRules & { readonly items: readonly ImportItem[] } {
  const { permissions = {}, env, $schema: _schema, ...others } = settings
  const items: ImportItem[] = []
  const deny: Rule[] = []
  const ask: Rule[] = []
  const given = isObject(permissions) ? permissions : { deny: permissions }
  for (const list of ['deny', 'ask'] as const) {
    const { rules, unread } = readRules(given[list] ?? [])
    const converted = rules.map((rule) => ({ rule, ...convertRule(rule, project) }))
    const target = list === 'deny' ? deny : ask
    target.push(...converted.flatMap((one) => one.rules))
    ask.push(...converted.flatMap(({ asks }) => asks), ...(unread > 0 ? ['*'] : []))
    const inexact = converted.filter(({ asks }) => asks.length > 0).map(({ rule }) => rule.text)
    const name = `permissions.${list}`
    if (unread > 0) {
      const why = 'It has rules that are no text, so every call is asked about.'
      items.push(leftItem('settings', name, from, why))
    }
    if (inexact.length > 0) {
      const why = `Every call of these tools is asked about, because a rule here cannot say all of: ${inexact.join(', ')}.`
      items.push(leftItem('settings', name, from, why))
    }
  }
  for (const key of Object.keys(given).filter((one) => one !== 'deny' && one !== 'ask')) {
    const why =
      key === 'allow'
        ? 'Nothing needs to be allowed beforehand: a tool that is neither denied nor asked about may be called.'
        : 'It has no counterpart.'
    items.push(leftItem('settings', `permissions.${key}`, from, why))
  }
  if (isObject(env) && Object.keys(env).length > 0) {
    const why = `Values may be secrets, so they were not copied: ${Object.keys(env).join(', ')}. List those that prompts need under "environment".`
    items.push(leftItem('settings', 'env', from, why))
  }
  for (const [key, value] of Object.entries(others)) {
    if (key === 'skillOverrides' && isObject(value)) {
      for (const [skill, state] of Object.entries(value)) overrides.set(skill, state)
    } else if (SERVERS_OFF.has(key) && Array.isArray(value)) {
      const { rules, unread } = serversOff(value)
      deny.push(...rules)
      if (unread > 0) {
        const why = `Servers without a name cannot be denied here: ${unread}.`
        items.push(leftItem('settings', key, from, why))
      }
    } else {
      const why = OTHER_SETTINGS.get(key) ?? 'It has no counterpart.'
      items.push(leftItem('settings', key, from, why))
    }
  }
  return { deny, ask, items }
}

const OTHER_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['hooks', 'Hooks are code: write them where sessions are opened.'],
  ['enabledPlugins', 'A plugin is imported from its own folder.'],
  ...['enableAllProjectMcpServers', 'enabledMcpjsonServers'].map(
    (key) => [key, 'Servers run when their folder is trusted: loadout trust <folder>.'] as const,
  ),
])

/** Settings whose servers are not used: lists of names, or of objects with `serverName`. */
const SERVERS_OFF: ReadonlySet<string> = new Set(['disabledMcpjsonServers', 'deniedMcpServers'])

function serversOff(listed: readonly unknown[]) {
  const names = listed
    .map((one) => (isObject(one) ? one['serverName'] : one))
    .filter((one) => typeof one === 'string' && one !== '')
  const rules = names.map((name) => `mcp__${String(name).replaceAll(/[^A-Za-z0-9_-]/g, '_')}`)
  return { rules, unread: listed.length - rules.length }
}

/**
 * Converts the skills that settings turn off: a model may not load them. Texts of the catalog cannot be left out here,
 * so a skill of which only the name is shown there is named.
 */
export function overriddenSkills(
  overrides: ReadonlyMap<string, unknown>,
): ImportedRules & { readonly items: readonly ImportItem[] } {
  const deny: Rule[] = []
  const items: ImportItem[] = []
  for (const [skill, state] of overrides) {
    if (state === 'on' || state === true) continue
    const isOff = state === 'off' || state === false || state === 'user-invocable-only'
    const converted = isOff ? skillRule(skill) : null
    if (converted !== null) deny.push(...converted.rules)
    else {
      const why =
        state === 'name-only'
          ? 'A model also reads its description here.'
          : `Nothing here is like ${JSON.stringify(state)}.`
      items.push(leftItem('settings', `skillOverrides.${skill}`, null, why))
    }
  }
  return { deny, ask: [], items }
}

function readRules(given: unknown): {
  readonly rules: readonly ClientRule[]
  readonly unread: number
} {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  const rules = list.flatMap((rule) => {
    if (typeof rule !== 'string') return []
    const text = rule.trim()
    const { pattern, argument } = readAllowedTool(text)
    return [{ text, tool: pattern.trim(), argument: argument?.trim() }]
  })
  return { rules, unread: list.length - rules.length }
}

/** Names of tools, in which `*` matches anything, here and there. */
const TOOL_PATTERN = /^[A-Za-z0-9_.*-]{1,200}$/

/** Tools that read files, and tools that search in them: a rule there about `Read` holds for all of them. */
const READING = ['Read', 'NotebookRead']
const SEARCHING = ['Grep', 'Glob', 'LS']

/** Tools that change files: a rule there about `Edit` holds for all of them. */
const EDITING = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']

function convertRule({ tool, argument }: ClientRule, project: string): Converted {
  if (!TOOL_PATTERN.test(tool) || firstImpossible({ deny: [tool] }) !== null) {
    return { rules: [], asks: ['*'] }
  }
  const names = ownNames(tool)
  if (argument === undefined || argument === '*') return { rules: names, asks: [] }
  const ask = { rules: [], asks: names }
  if (tool === 'Bash') return commandRule(argument) ?? ask
  if (READING.includes(tool)) {
    return pathRules(argument, READING, [...SEARCHING, 'Bash'], project) ?? ask
  }
  if (EDITING.includes(tool)) return pathRules(argument, EDITING, ['Bash'], project) ?? ask
  if (tool === 'WebFetch' && argument.startsWith('domain:')) return domainRule(argument)
  if (tool === 'Skill') {
    const converted = skillRule(argument)
    if (converted === null) return ask
    // A host may have the tool of Claude Code, too, which names the skill with or without its plugin.
    const named =
      converted.name === '*' ? ['*'] : [converted.name, `*:${converted.name}`, `/${converted.name}`]
    return {
      rules: [...converted.rules, ...named.map((one) => anyArgument('Skill', one))],
      asks: [],
    }
  }
  return ask
}

/** Returns the names that a tool of a rule has here. */
function ownNames(tool: string): readonly string[] {
  if (tool === 'Read') return [...READING, ...SEARCHING]
  if (tool === 'Edit') return EDITING
  if (tool === 'Task' || tool === 'Agent') return ['Task', 'Agent', 'task']
  return tool === 'Skill' ? ['Skill', 'loadSkill'] : [tool]
}

/** Any argument: hosts give the arguments of their tools other names. */
const anyArgument = (
  tool: string,
  pattern: NonNullable<PermissionRule['where']>[string],
): Rule => ({
  tool,
  where: { '*': pattern },
  ignoreCase: true,
})

/** Words of commands without a meaning of their own for a shell. */
const PLAIN_COMMAND = /^[\w./:@%+,=* -]+$/u

/** A rule about commands: `git push:*`, `git push *` and `git push` all mean commands that begin with `git push`. */
function commandRule(argument: string): Converted | null {
  const command = argument.replace(/(?::\*| \*)$/u, '').trim()
  if (!PLAIN_COMMAND.test(command)) return null
  return { rules: [anyArgument('Bash', { command })], asks: [] }
}

/**
 * Rules about files, by the patterns of `.gitignore`: a name without a slash is meant at any depth, and a folder
 * with all that is in it. Tools that reach files in other ways are asked about.
 */
function pathRules(
  argument: string,
  tools: readonly string[],
  others: readonly string[],
  project: string,
): Converted | null {
  if (/[[\]{}!\\?]/u.test(argument) || argument === '') return null
  // There `//` begins an absolute path, and `/` one from the folder of the settings.
  const given = argument.endsWith('/') ? argument.slice(0, -1) : argument
  const path = given.replace(/^\/(?!\/)|^\.\//u, '').replace(/^\/\//u, '/')
  const isAnywhere = !given.includes('/')
  const anchored = isAnywhere ? `**/${path}` : path
  const rules = tools.flatMap((tool) =>
    [anchored, `${anchored}/**`].map((one) => anyArgument(tool, { path: one })),
  )
  // A call may name a file of the project by its relative path, which no absolute pattern matches.
  return { rules, asks: mayBeInside(given, project) ? [...tools, ...others] : others }
}

/** Returns true for a pattern of a path from the root or the home that may mean a file of the project. */
function mayBeInside(pattern: string, project: string): boolean {
  const [, start, rest = ''] = /^(~|\/)\/(.*)$/su.exec(pattern) ?? []
  if (start === undefined) return false
  const below = start === '~' ? relative(homedir(), project) : project
  const folders = below.split(/[\\/]/u).filter((one) => one !== '')
  if (folders[0] === '..') return false
  for (const [place, segment] of rest.split('/').entries()) {
    const folder = folders[place]
    if (segment === '**' || folder === undefined) return true
    if (!matchesPattern(segment, folder)) return false
  }
  return true
}

/** An address may be written in many ways, so every call is asked about, too. */
function domainRule(argument: string): Converted {
  const domain = argument.slice('domain:'.length)
  const isPlain = /^[\w.*-]+$/u.test(domain)
  return { rules: isPlain ? [anyArgument('WebFetch', `*${domain}*`)] : [], asks: ['WebFetch'] }
}

function skillRule(argument: string): (Converted & { readonly name: string }) | null {
  const name = argument.replace(/(?::\*| \*)$/u, '*').replace(/^.*:/u, '')
  if (!TOOL_PATTERN.test(name)) return null
  const rules = [{ tool: 'loadSkill', where: { skillName: name }, ignoreCase: true }]
  return { name, rules, asks: [] }
}
