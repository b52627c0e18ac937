import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { folderFiles } from '../export/folder-files.ts'
import { loadSkills } from '../folders/load-skills.ts'
import { claudeAgent, claudeCommand, type ConvertedFile } from './claude-command.ts'
import { claudePermissions, type ImportedRules } from './claude-permissions.ts'
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
  const rules: ImportedRules[] = []
  for (const name of SETTINGS) {
    const bytes = all.files.get(name)
    if (bytes === undefined) continue
    const findings = new Findings(join(root, name))
    const parsed = parseJson(new TextDecoder().decode(bytes), findings)
    if (parsed === null) {
      const why = findings.list[0]?.message ?? 'It is not JSON.'
      const effect = 'What it denies is not known, so every call is asked about.'
      items.push(leftItem('settings', name, name, `${why} ${effect}`))
      rules.push({ deny: [], ask: ['*'] })
      continue
    }
    const read = claudePermissions(parsed.value, name)
    rules.push(read)
    items.push(...read.items)
  }
  const known = new Set(['skills', 'commands', 'agents', ...SETTINGS])
  for (const name of [...names].filter((one) => !known.has(one)).sort()) {
    items.push(leftItem('file', name, name, 'It has no counterpart.'))
  }
  items.push(...(await itemsNextTo(root)))
  return writeImport(to, files, items, configOf(rules), from)

  async function takeSkills(): Promise<void> {
    const folder = join(root, 'skills')
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const place = `skills/${entry.name}`
      if (entry.isFile()) items.push(leftItem('file', entry.name, place, 'It belongs to no skill.'))
    }
    const loaded = await loadSkills(folder, { limits: BUILD_LIMITS, ...options })
    for (const { name, path, instructions } of loaded.skills) {
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
      items.push(
        takenItem('skill', name, place, to, [...notes, ...faults, ...pointersOf(instructions)]),
      )
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
    const notes = [...converted.notes, ...pointersOf(converted.text)]
    items.push(takenItem(kind, name, path, place, notes))
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

/** Returns the configuration with the rules of all settings, each once. */
function configOf(settings: readonly ImportedRules[]): ImportedConfig {
  const lists = (['deny', 'ask'] as const).flatMap((list) => {
    const all = settings.flatMap((one) => one[list])
    const unique = new Map(all.map((rule) => [JSON.stringify(rule), rule]))
    return unique.size === 0 ? [] : [[list, [...unique.values()]] as const]
  })
  return lists.length === 0 ? {} : { permissions: Object.fromEntries(lists) }
}

/** Files next to `.claude` that Claude Code reads, with what to do instead. */
const NEXT_TO_CLAUDE = [
  ['.mcp.json', 'Its servers are not connected here: give their tools to the workspace.'],
  ['CLAUDE.md', 'Write what every session needs into the prompt of an agent.'],
  ['CLAUDE.local.md', 'Write what every session needs into the prompt of an agent.'],
] as const

async function itemsNextTo(root: string): Promise<readonly ImportItem[]> {
  if (basename(root) !== '.claude') return []
  const names = new Set(await readdir(dirname(root)))
  return NEXT_TO_CLAUDE.flatMap(([name, why]) =>
    names.has(name) ? [leftItem('file', name, `../${name}`, why)] : [],
  )
}

/** Returns a note about the files below `.claude` that a text points to: they are elsewhere now, or nowhere. */
function pointersOf(text: string): readonly string[] {
  const paths = new Set(text.match(/\.claude\/[\w./-]*\w/gu))
  if (paths.size === 0) return []
  const some = [...paths].slice(0, 5).join(', ')
  return [`Its text points into .claude, which is not imported as a folder: ${some}.`]
}
