import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { isObject } from '../../kernel/json-value.ts'
import { folderFiles } from '../export/folder-files.ts'
import { loadSkills } from '../folders/load-skills.ts'
import { claudeAgent, claudeCommand, type ConvertedFile } from './claude-command.ts'
import {
  type Imported,
  type ImportedConfig,
  type ImportItem,
  leftItem,
  takenItem,
  writeImport,
} from './imported.ts'
import { BUILD_LIMITS, type LoadOptions } from '../walk/load-options.ts'
import { usableName } from '../../skills/definition/definition-name.ts'
import { Findings } from '../../skills/parse/findings.ts'
import { parseJson } from '../../skills/parse/parse-json.ts'

/** Settings in `.claude` that are read. */
const SETTINGS = ['settings.json', 'settings.local.json']

/**
 * Imports `.claude` into folders of Loadout: skills unchanged, commands as skills, agents as
 * agents, and from the settings the tools that are denied or asked about. `from` is the project or
 * its `.claude` folder. Each file that cannot be imported is an item with the reason. Throws
 * `PATH_NOT_FOUND`, `FILES_EXIST` and `NOTHING_TO_IMPORT`.
 */
export async function importClaude(
  from: string,
  to: string,
  options: Pick<LoadOptions, 'onFolder'> = {},
): Promise<Imported> {
  const root = await claudeFolder(from)
  const names = new Set(await readdir(root))
  const files = new Map<string, string | Uint8Array>()
  const items: ImportItem[] = []
  const skills = new Set<string>()
  if (names.has('skills')) await takeSkills()
  const all = await folderFiles(
    root,
    (inner) => !/^(?:commands|agents|settings(?:\.local)?\.json)(?:\/|$)/.test(inner),
  )
  for (const { message, file } of all.diagnostics) {
    const name = file === undefined ? '' : relative(root, file)
    items.push(leftItem('file', name, name, message))
  }
  for (const [path, bytes] of all.files) {
    const [kind = ''] = path.split('/')
    if (kind === 'commands' && path.endsWith('.md')) take('command', path, bytes)
    else if (kind === 'agents' && path.endsWith('.md')) take('agent', path, bytes)
    else if (!SETTINGS.includes(path))
      items.push(leftItem('file', path, path, 'It is not Markdown.'))
  }
  let config: ImportedConfig = {}
  for (const name of SETTINGS) {
    const bytes = all.files.get(name)
    if (bytes === undefined) continue
    const findings = new Findings(join(root, name))
    const parsed = parseJson(new TextDecoder().decode(bytes), findings)
    if (parsed === null) {
      items.push(leftItem('settings', name, name, findings.list[0]?.message ?? 'It is not JSON.'))
      continue
    }
    const read = claudePermissions(parsed.value, name)
    config = joinPermissions(config, read.config)
    items.push(...read.items)
  }
  const known = new Set(['skills', 'commands', 'agents', ...SETTINGS])
  for (const name of [...names].filter((one) => !known.has(one)).sort()) {
    items.push(leftItem('file', name, name, 'It has no counterpart.'))
  }
  return writeImport(to, files, items, config, from)

  async function takeSkills(): Promise<void> {
    const folder = join(root, 'skills')
    const loaded = await loadSkills(folder, { limits: BUILD_LIMITS, ...options })
    for (const { name, path } of loaded.skills) {
      if (path === undefined) continue
      const place = relative(root, path)
      if (skills.has(name)) {
        items.push(leftItem('skill', name, place, 'Another skill has this name.'))
        continue
      }
      skills.add(name)
      const copied = await folderFiles(dirname(path))
      for (const [inner, bytes] of copied.files) files.set(`skills/${name}/${inner}`, bytes)
      const notes = loaded.diagnostics
        .filter(({ file, code }) => file === path && code === 'unknown-field')
        .map(({ message }) => message)
      const faults = copied.diagnostics.map(({ message }) => message)
      const to = `skills/${name}/${basename(path)}`
      items.push(takenItem('skill', name, place, to, [...notes, ...faults]))
    }
    for (const { kind, name, path } of loaded.items) {
      if (name !== null || kind !== 'skill') continue
      const why = loaded.diagnostics.find(
        ({ file, severity }) => file === path && severity === 'error',
      )
      items.push(
        leftItem(
          'skill',
          basename(dirname(path)),
          relative(root, path),
          why?.message ?? 'It could not be read.',
        ),
      )
    }
  }

  function take(kind: 'command' | 'agent', path: string, bytes: Uint8Array): void {
    const inner = path.slice(path.indexOf('/') + 1, -'.md'.length)
    const name = usableName(inner.replaceAll('/', '-').toLowerCase())
    if (name === undefined) {
      items.push(leftItem(kind, inner, path, 'Its name has no characters that a name may have.'))
      return
    }
    const place = kind === 'command' ? `skills/${name}/SKILL.md` : `agents/${name}/AGENT.md`
    if (files.has(place)) {
      const other = kind === 'command' ? 'skill' : 'agent'
      items.push(leftItem(kind, name, path, `Another ${other} has this name.`))
      return
    }
    const converted = convert(kind, new TextDecoder().decode(bytes), name, path)
    if (typeof converted === 'string') {
      items.push(leftItem(kind, name, path, converted))
      return
    }
    files.set(place, converted.text)
    items.push(takenItem(kind, name, path, place, converted.notes))
  }
}

function convert(
  kind: 'command' | 'agent',
  text: string,
  name: string,
  file: string,
): ConvertedFile | string {
  switch (kind) {
    case 'command':
      return claudeCommand(text, name, file)
    case 'agent':
      return claudeAgent(text, name, file)
  }
}

/** Returns the `.claude` folder of a path. */
async function claudeFolder(from: string): Promise<string> {
  const full = resolve(from)
  for (const path of basename(full) === '.claude' ? [full] : [join(full, '.claude')]) {
    if ((await stat(path).catch(() => null))?.isDirectory()) return realpath(path)
  }
  throw new WorkspaceError('PATH_NOT_FOUND', `There is no .claude folder at "${from}".`, {
    facts: { path: from, resolved: full },
    hint: 'Give the folder of the project, or its .claude folder.',
  })
}

function joinPermissions(a: ImportedConfig, b: ImportedConfig): ImportedConfig {
  const list = (config: ImportedConfig, key: string): readonly string[] => {
    const value = config['permissions']?.[key]
    return typeof value === 'object' ? value : []
  }
  const permissions = ['deny', 'ask'].flatMap((key) => {
    const all = [...new Set([...list(a, key), ...list(b, key)])]
    return all.length === 0 ? [] : [[key, all] as const]
  })
  return permissions.length === 0 ? {} : { permissions: Object.fromEntries(permissions) }
}

interface ImportedPermissions {
  readonly config: ImportedConfig
  readonly items: readonly ImportItem[]
}

/** Matches patterns of Loadout: names of tools, in which `*` matches anything. */
const TOOL_PATTERN = /^[A-Za-z0-9_.*-]{1,200}$/

/**
 * Returns the permissions in the settings of Claude Code that also apply here: tools that are
 * denied or asked about, by name.
 *
 * Rules about the arguments of its own tools (`Bash(git push:*)`) mean nothing here. Tools that are
 * allowed beforehand are not imported: a tool that is neither denied nor asked about may be called.
 * Values of the environment are not imported, since they may be secrets.
 */
function claudePermissions(
  settings: Readonly<Record<string, unknown>>,
  from: string,
): ImportedPermissions {
  const { permissions, env, $schema: _schema, ...others } = settings
  const rules = isObject(permissions) ? permissions : {}
  const taken: Record<string, readonly string[]> = {}
  const items: ImportItem[] = []
  for (const list of ['deny', 'ask'] as const) {
    const { usable, rest } = splitRules(rules[list])
    if (usable.length > 0) taken[list] = usable
    if (rest.length > 0) {
      const why = `Rules about arguments have no counterpart: ${rest.join(', ')}.`
      items.push(leftItem('settings', `permissions.${list}`, from, why))
    }
  }
  for (const key of Object.keys(rules).filter((one) => one !== 'deny' && one !== 'ask')) {
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
  for (const key of Object.keys(others)) {
    const why =
      key === 'hooks'
        ? 'Hooks are code: write them where sessions are opened.'
        : 'It has no counterpart.'
    items.push(leftItem('settings', key, from, why))
  }
  return { config: Object.keys(taken).length === 0 ? {} : { permissions: taken }, items }
}

function splitRules(list: unknown): {
  readonly usable: readonly string[]
  readonly rest: readonly string[]
} {
  const rules = Array.isArray(list) ? list.filter((rule) => typeof rule === 'string') : []
  return {
    usable: rules.filter((rule) => TOOL_PATTERN.test(rule)),
    rest: rules.filter((rule) => !TOOL_PATTERN.test(rule)),
  }
}
