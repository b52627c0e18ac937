import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { checkedText, checkOptions, errorCode, Findings, usableName } from '../../../entries/kit.ts'
import { parseJson } from '../../../entries/definitions.ts'
import { unsafeFiles } from '../add/source-skills.ts'
import { folderFiles } from '../export/folder-files.ts'
import { loadRoots } from '../folders/load-skills.ts'
import { isOfPlugin } from '../folders/read-plugins.ts'
import { isInside } from '../walk/is-inside.ts'
import { claudeAgent, claudeCommand } from './claude-command.ts'
import { claudePermissions, type ImportedRules, overriddenSkills } from './claude-permissions.ts'
import { type ClaudePlace, claudePlaces, leftDiagnostic, leftNextTo } from './claude-places.ts'
import {
  type Imported,
  type ImportedConfig,
  type ImportItem,
  leftItem,
  takenItem,
  writeImport,
} from './imported.ts'
import { BUILD_LIMITS } from '../walk/load-options.ts'
import { unsafeFileName } from '../walk/unsafe-file-name.ts'

/** Settings in `.claude` that are read. */
const SETTINGS = ['settings.json', 'settings.local.json']

/**
 * Imports `.claude` into folders of Loadout: skills unchanged, commands as skills, agents as
 * agents, and from the settings the tools that are denied or asked about. `from` is the project or
 * its `.claude` folder, a plugin, or with `plugin` the marketplace that has it. Each file that cannot be imported is
 * an item with the reason. Throws `PATH_NOT_FOUND`, `PLUGIN_UNKNOWN`, `FILES_EXIST` and `NOTHING_TO_IMPORT`.
 */
export async function importClaude(
  from: string,
  to: string,
  given: { readonly plugin?: string } = {},
): Promise<Imported> {
  checkOptions(given, { plugin: 'text' })
  checkedText(to, 'to')
  const taking: Taking = {
    files: new Map(),
    items: [],
    rules: [],
    overrides: new Map(),
    skills: new Set(),
    seen: new Set(),
    links: new Map(),
  }
  const { files, items, rules, overrides, links, seen } = taking
  const places = await claudePlaces(checkedText(from, 'from'), to, given.plugin)
  for (const place of places) await takePlace(place, to, taking)
  for (const [path, item] of links) {
    const real = await realpath(path).catch(() => null)
    if (real === null || !seen.has(real)) items.push(item)
  }
  const off = overriddenSkills(overrides)
  return writeImport(to, files, [...items, ...off.items], mergeRules([...rules, off]), from)
}

/** The files, items and rules taken so far, of all places. */
interface Taking {
  readonly files: Map<string, string | Uint8Array>
  readonly items: ImportItem[]
  readonly rules: ImportedRules[]
  /** The skills that settings turn on and off. */
  readonly overrides: Map<string, unknown>
  /** Names of skills. */
  readonly skills: Set<string>
  /** Real paths of the folders of skills that were looked at. */
  readonly seen: Set<string>
  /** Links to folders that may be those of skills, with their items if they are not. */
  readonly links: Map<string, ImportItem>
}

async function takePlace(place: ClaudePlace, to: string, taking: Taking): Promise<void> {
  const { items } = taking
  const { root, base } = place
  items.push(...place.items)
  await takeSkills(place, taking)
  const settings = place.plugin === null ? SETTINGS : []
  const wholes = [...place.commands, ...place.agents, ...settings.map((name) => join(root, name))]
  const all = await folderFiles(root, (inner) => {
    const path = join(root, inner)
    return !wholes.some((one) => isInside(one, path) || isInside(path, one))
  })
  items.push(...all.diagnostics.map((one) => leftDiagnostic(base, one)))
  for (const [path, bytes] of all.files) {
    const full = join(root, path)
    const isIn = (folder: string) => isInside(folder, full)
    const command = place.commands.find(isIn)
    const folder = command ?? place.agents.find(isIn)
    const kind = command === undefined ? 'agent' : 'command'
    if (folder !== undefined && path.endsWith('.md')) {
      takePart({ kind, full, folder, bytes }, base, taking)
    } else if (!settings.includes(path)) {
      const at = relative(base, full)
      items.push(leftItem('file', at, at, 'It is not Markdown.'))
    }
  }
  for (const name of settings) {
    const bytes = all.files.get(name)
    if (bytes === undefined) continue
    takeSettings(join(root, name), base, bytes, taking)
  }
  items.push(...(await leftNextTo(place, to)))
}

function takeSettings(
  file: string,
  base: string,
  bytes: Uint8Array,
  { items, rules, overrides }: Taking,
): void {
  const at = relative(base, file)
  const findings = new Findings(file)
  const parsed = parseJson(new TextDecoder().decode(bytes), findings)
  if (parsed === null) {
    const why = findings.list[0]?.message ?? 'It is not JSON.'
    const effect = 'What it denies is not known, so every call is asked about.'
    items.push(leftItem('settings', at, at, `${why} ${effect}`))
    rules.push({ deny: [], ask: ['*'] })
    return
  }
  const read = claudePermissions(parsed.value, at, dirname(dirname(file)), overrides)
  rules.push(read)
  items.push(...read.items)
}

/** Returns the folders of skills that can be read, and names the files in them that belong to no skill. */
async function readableFolders(
  { base, skills }: ClaudePlace,
  items: ImportItem[],
): Promise<readonly string[]> {
  const readable: string[] = []
  for (const folder of skills) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(errorCode)
    if (!Array.isArray(entries)) {
      const at = relative(base, folder)
      items.push(leftItem('file', at, at, `It is not a folder that can be read: ${entries}.`))
      continue
    }
    readable.push(folder)
    const isSkill = entries.some((entry) => /^skill\.md$/i.test(entry.name))
    for (const entry of isSkill ? [] : entries) {
      const at = relative(base, join(folder, entry.name))
      if (entry.isFile()) items.push(leftItem('file', entry.name, at, 'It belongs to no skill.'))
    }
  }
  return readable
}

async function takeSkills(place: ClaudePlace, taking: Taking): Promise<void> {
  const { root, base, plugin } = place
  const { files, items, skills, seen, links } = taking
  const readable = await readableFolders(place, items)
  const loaded = await loadRoots([...(plugin?.skills ?? []), ...readable], {
    limits: BUILD_LIMITS,
  })
  for (const { name, path, instructions } of loaded.skills) {
    if (path === undefined) continue
    const at = relative(base, path)
    const real = await realpath(dirname(path))
    if (seen.has(real)) continue
    seen.add(real)
    if (plugin !== null && !isOfPlugin(path, plugin)) {
      items.push(leftItem('skill', name, at, TOO_DEEP))
      continue
    }
    if (skills.has(name)) {
      items.push(leftItem('skill', name, at, 'Another skill has this name.'))
      continue
    }
    const copied = await folderFiles(dirname(path))
    const why = unsafeFileName(name) ?? unsafeFiles([...copied.files.keys()])
    if (why !== null) {
      items.push(leftItem('skill', name, at, `Its files cannot be copied: ${why}.`))
      continue
    }
    skills.add(name)
    for (const [inner, bytes] of copied.files) files.set(`skills/${name}/${inner}`, bytes)
    const notes = loaded.diagnostics
      .filter(({ file, code }) => file === path && code === 'unknown-field')
      .map(({ message }) => message)
    const faults = copied.diagnostics.map(({ message }) => message)
    const to = `skills/${name}/${basename(path)}`
    items.push(
      takenItem('skill', name, at, to, [...notes, ...faults, ...pointerNotes(instructions)]),
    )
  }
  const read = new Set(loaded.items.map(({ path }) => path))
  for (const { kind, name, path } of loaded.items) {
    if (name !== null || kind !== 'skill') continue
    const why = loaded.diagnostics.find(
      ({ file, severity }) => file === path && severity === 'error',
    )
    items.push(
      leftItem(
        'skill',
        basename(dirname(path)),
        relative(base, path),
        why?.message ?? 'It could not be read.',
      ),
    )
  }
  for (const one of loaded.diagnostics) {
    const { file = root, code } = one
    if (read.has(file) || one.severity === 'info') continue
    if (code === 'link-outside') links.set(file, leftDiagnostic(base, one))
    else items.push(leftDiagnostic(base, one))
  }
}

/** A command or an agent: its file, and the folder of its kind that it is in. */
interface MarkdownPart {
  readonly kind: 'command' | 'agent'
  readonly full: string
  readonly folder: string
  readonly bytes: Uint8Array
}

function takePart(
  { kind, full, folder, bytes }: MarkdownPart,
  base: string,
  { files, items }: Taking,
): void {
  const path = relative(base, full)
  const below = relative(folder, full) || basename(full)
  const inner = below.split(sep).join('/').slice(0, -'.md'.length)
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
  const convert = kind === 'command' ? claudeCommand : claudeAgent
  const converted = convert(new TextDecoder().decode(bytes), name, path)
  if (typeof converted === 'string') {
    items.push(leftItem(kind, name, path, converted))
    return
  }
  files.set(place, converted.text)
  const notes = [...converted.notes, ...pointerNotes(converted.text)]
  items.push(takenItem(kind, name, path, place, notes))
}

const TOO_DEEP =
  'The plugin does not have it: Claude Code looks in the folders that a plugin names, one level below, and no deeper.'

/** Returns the configuration with the rules of all settings, each once. */
function mergeRules(settings: readonly ImportedRules[]): ImportedConfig {
  const lists = (['deny', 'ask'] as const).flatMap((list) => {
    const all = settings.flatMap((one) => one[list])
    const unique = new Map(all.map((rule) => [JSON.stringify(rule), rule]))
    return unique.size === 0 ? [] : [[list, [...unique.values()]] as const]
  })
  return lists.length === 0 ? {} : { permissions: Object.fromEntries(lists) }
}

/** Returns a note about the files below `.claude` that a text points to: they are elsewhere now, or nowhere. */
function pointerNotes(text: string): readonly string[] {
  const paths = new Set(text.match(/\.claude\/[\w./-]*\w/gu))
  if (paths.size === 0) return []
  const some = [...paths].slice(0, 5).join(', ')
  return [`Its text points into .claude, which is not imported as a folder: ${some}.`]
}
