import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { type Diagnostic, WorkspaceError } from '../../../entries/index.ts'
import {
  checkedText,
  checkOptions,
  errorCode,
  Findings,
  quotedPath,
  shellWord,
  usableName,
} from '../../../entries/kit.ts'
import { parseJson } from '../../../entries/definitions.ts'
import { repositoryIn } from '../add/source-skills.ts'
import { folderFiles } from '../export/folder-files.ts'
import { loadRoots } from '../folders/load-skills.ts'
import { pluginNamed, readPlugins } from '../folders/read-plugins.ts'
import { isInside } from '../walk/is-inside.ts'
import { claudeAgent, claudeCommand } from './claude-command.ts'
import { claudePermissions, type ImportedRules } from './claude-permissions.ts'
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
  const place = await claudePlace(checkedText(from, 'from'), to, given.plugin)
  const { root } = place
  const names = new Set(await readdir(root))
  const files = new Map<string, string | Uint8Array>()
  const items: ImportItem[] = [...place.items]
  const skills = new Set<string>()
  await takeSkills(place.skills)
  const wholes = [...place.commands, ...place.agents, ...SETTINGS.map((name) => join(root, name))]
  const all = await folderFiles(root, (inner) => {
    const path = join(root, inner)
    return !wholes.some((one) => isInside(one, path) || isInside(path, one))
  })
  items.push(...all.diagnostics.map((one) => leftDiagnostic(root, one)))
  for (const [path, bytes] of all.files) {
    const isIn = (folder: string) => isInside(folder, join(root, path))
    const command = place.commands.find(isIn)
    const agent = place.agents.find(isIn)
    const isMarkdown = path.endsWith('.md')
    if (command !== undefined && isMarkdown) take('command', path, command, bytes)
    else if (agent !== undefined && isMarkdown) take('agent', path, agent, bytes)
    else if (!SETTINGS.includes(path))
      items.push(leftItem('file', path, path, 'It is not Markdown.'))
  }
  const rules: ImportedRules[] = []
  for (const name of place.plugin === null ? SETTINGS : []) {
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
  const others = place.plugin?.others ?? [...names].filter((one) => !known.has(one))
  for (const name of [...others].sort()) items.push(leftItem('file', name, name, whyLeft(name)))
  if (place.plugin === null) items.push(...(await itemsNextTo(root)))
  return writeImport(to, files, items, mergeRules(rules), from)

  async function takeSkills(folders: readonly string[]): Promise<void> {
    const readable: string[] = []
    for (const folder of folders) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(errorCode)
      if (!Array.isArray(entries)) {
        const at = relative(root, folder)
        items.push(leftItem('file', at, at, `It is not a folder that can be read: ${entries}.`))
        continue
      }
      readable.push(folder)
      const isSkill = entries.some((entry) => /^skill\.md$/i.test(entry.name))
      for (const entry of isSkill ? [] : entries) {
        const at = relative(root, join(folder, entry.name))
        if (entry.isFile()) items.push(leftItem('file', entry.name, at, 'It belongs to no skill.'))
      }
    }
    const loaded = await loadRoots(readable, { limits: BUILD_LIMITS })
    for (const { name, path, instructions } of loaded.skills) {
      if (path === undefined) continue
      const place = relative(root, path)
      if (skills.has(name)) {
        items.push(leftItem('skill', name, place, 'Another skill has this name.'))
        continue
      }
      const copied = await folderFiles(dirname(path))
      const why = unsafeFileName(name) ?? repositoryIn([...copied.files.keys()])
      if (why !== null) {
        items.push(leftItem('skill', name, place, `Its files cannot be copied: ${why}.`))
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
        takenItem('skill', name, place, to, [...notes, ...faults, ...pointerNotes(instructions)]),
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

  function take(kind: 'command' | 'agent', path: string, folder: string, bytes: Uint8Array): void {
    const below = relative(folder, join(root, path)) || basename(path)
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
}

/**
 * Returns the `.claude` folder of a path, or its plugin, with the folders and files of its parts. Plugins that are not
 * imported are items, and so is what is wrong with the manifest of one that is.
 */
async function claudePlace(from: string, to: string, wanted: string | undefined) {
  const full = resolve(from)
  for (const path of basename(full) === '.claude' ? [full] : [join(full, '.claude')]) {
    if (wanted !== undefined || !(await stat(path).catch(() => null))?.isDirectory()) continue
    const root = await realpath(path)
    const names = new Set(await readdir(root))
    const part = (name: string) => (names.has(name) ? [join(root, name)] : [])
    const parts = { skills: part('skills'), commands: part('commands'), agents: part('agents') }
    return { root, ...parts, plugin: null, items: await pluginsNextTo(root, dirname(path), to) }
  }
  const exists = (await stat(full).catch(() => null))?.isDirectory() === true
  const found = exists ? await readPlugins(full) : { plugins: [], elsewhere: [], diagnostics: [] }
  const [first, second] = found.plugins
  const plugin = wanted === undefined && second === undefined ? first : undefined
  if (wanted !== undefined || plugin !== undefined) {
    const chosen = plugin ?? pluginNamed(wanted ?? '', found)
    const { folder: root, skills, commands, agents, diagnostics } = chosen
    const lost = diagnostics.filter(({ code }) => code !== 'plugin-skill-file')
    const items = lost.map((one) => leftDiagnostic(root, one))
    return { root, skills, commands, agents, plugin: chosen, items }
  }
  if (second !== undefined) {
    const names = found.plugins.map(({ name }) => name)
    throw new WorkspaceError('PLUGIN_UNKNOWN', `"${from}" has ${names.length} plugins.`, {
      facts: { path: from, known: names },
      hint: `Choose one with --plugin: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`,
    })
  }
  throw new WorkspaceError('PATH_NOT_FOUND', `There is no .claude folder at "${from}".`, {
    facts: { path: from, resolved: full },
    hint:
      found.diagnostics[0]?.message ??
      'Give the folder of the project, its .claude folder, or a plugin.',
  })
}

/** Returns the item of a file that a finding is about. */
function leftDiagnostic(root: string, { message, file }: Diagnostic): ImportItem {
  const path = file === undefined ? '' : relative(root, file)
  return leftItem('file', path, path, message)
}

/** Names the plugins in the folder that has a `.claude` folder, with the command that imports each. */
async function pluginsNextTo(
  root: string,
  folder: string,
  to: string,
): Promise<readonly ImportItem[]> {
  const { plugins, elsewhere, diagnostics } = await readPlugins(folder)
  const known = new Set(plugins.flatMap((one) => one.diagnostics))
  const command = `loadout import claude ${quotedPath(folder)} ${quotedPath(to)}`
  return [
    ...plugins.map(({ name, folder: place }) => {
      const how = `To import it: ${command} --plugin ${shellWord(name)}`
      const why = `The .claude folder next to it was read instead. ${how}`
      return leftItem('plugin', name, relative(root, place), why)
    }),
    ...elsewhere.map(({ name, source }) => {
      const why = `It is not in this folder: its marketplace has it at ${source}.`
      return leftItem('plugin', name, null, why)
    }),
    ...diagnostics.filter((one) => !known.has(one)).map((one) => leftDiagnostic(root, one)),
  ]
}

/** Returns the configuration with the rules of all settings, each once. */
function mergeRules(settings: readonly ImportedRules[]): ImportedConfig {
  const lists = (['deny', 'ask'] as const).flatMap((list) => {
    const all = settings.flatMap((one) => one[list])
    const unique = new Map(all.map((rule) => [JSON.stringify(rule), rule]))
    return unique.size === 0 ? [] : [[list, [...unique.values()]] as const]
  })
  return lists.length === 0 ? {} : { permissions: Object.fromEntries(lists) }
}

function whyLeft(name: string): string {
  if (name === 'hooks') return 'Hooks are code: write them where sessions are opened.'
  if (name === 'mcpServers') return SERVERS_IN_MANIFEST
  const [, why = 'It has no counterpart.'] = NEXT_TO_CLAUDE.find(([one]) => one === name) ?? []
  return why
}

const SERVERS_IN_MANIFEST =
  'The manifest has or names its servers: write them into a .mcp.json next to a toolset that names them (`servers:`).'

/** Files next to `.claude` that Claude Code reads, with what to do instead. */
const NEXT_TO_CLAUDE = [
  [
    '.mcp.json',
    'It is read where it is: name its servers in a toolset (`servers:`), and skills bring them.',
  ],
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
function pointerNotes(text: string): readonly string[] {
  const paths = new Set(text.match(/\.claude\/[\w./-]*\w/gu))
  if (paths.size === 0) return []
  const some = [...paths].slice(0, 5).join(', ')
  return [`Its text points into .claude, which is not imported as a folder: ${some}.`]
}
