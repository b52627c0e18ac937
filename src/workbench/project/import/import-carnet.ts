import { realpath } from 'node:fs/promises'
import { basename, dirname, relative, resolve } from 'node:path'
import type { Agent, Skill } from '../../../entries/index.ts'
import { checkedText, displayNameOf, usableName } from '../../../entries/kit.ts'
import { CARNET_CONFIG, CARNET_MANIFEST } from '../../../connections/carnet/format/carnet-files.ts'
import { folderFiles, skillSourceFiles } from '../export/folder-files.ts'
import {
  agentFileText,
  frontMatterText,
  skillFileText,
  toolFolderFiles,
  toolsetFileText,
} from '../export/skill-file-text.ts'
import { loadCarnet, type LoadedCarnet } from '../folders/load-carnet.ts'
import { type Imported, type ImportItem, leftItem, takenItem, writeImport } from './imported.ts'
import { BUILD_LIMITS } from '../walk/load-options.ts'

/**
 * Imports a Carnet project, or its manifest, into folders of Loadout: `skills`, `toolsets`,
 * `tools`, `agents`, `rules`, and a `loadout.config.json` with its variables. A model reads the
 * same texts as before. Each definition is an item of the result, with notes about changes. Throws
 * `PATH_NOT_FOUND`, `FILES_EXIST` and `NOTHING_TO_IMPORT`.
 */
export async function importCarnet(from: string, to: string): Promise<Imported> {
  checkedText(to, 'to')
  const loaded = await loadCarnet(from, { limits: BUILD_LIMITS })
  const real = await realpath(resolve(from))
  const root = basename(real) === CARNET_MANIFEST ? dirname(real) : real
  const files = new Map<string, string | Uint8Array>()
  const items: ImportItem[] = []
  const sourcePath = (path: string | undefined) =>
    path === undefined ? null : relative(root, path).replaceAll('\\', '/')
  const unknownFields = (path: string | undefined) =>
    loaded.diagnostics
      .filter(({ code, file }) => code === 'unknown-field' && file === path && path !== undefined)
      .map(({ message }) => `${message} It was left out.`)
  const seen = new Set<string>()
  /** If two have the same name, the first is used. */
  const claimName = (kind: ImportItem['kind'], name: string, path: string | undefined) => {
    const key = `${kind} ${name}`
    if (!seen.has(key)) {
      seen.add(key)
      return true
    }
    items.push(leftItem(kind, name, sourcePath(path), `Another ${kind} has this name.`))
    return false
  }
  for (const skill of loaded.skills) {
    if (!claimName('skill', skill.name, skill.path)) continue
    const base = `skills/${skill.name}`
    const copied = await skillSourceFiles(skill, (inner) => inner === basename(skill.path ?? ''))
    for (const [inner, bytes] of copied.files) files.set(`${base}/${inner}`, bytes)
    files.set(
      `${base}/SKILL.md`,
      skillFileText(
        { ...skill, tools: skill.tools.filter((tool) => typeof tool === 'string') },
        { describesFiles: true, ...commonTopic(skill) },
      ),
    )
    const notes = [
      ...skillNotes(skill),
      ...unknownFields(skill.path),
      ...copied.diagnostics.map(({ message }) => message),
    ]
    items.push(takenItem('skill', skill.name, sourcePath(skill.path), `${base}/SKILL.md`, notes))
  }
  for (const toolset of loaded.toolsets) {
    const { name, path, rules } = toolset
    if (!claimName('toolset', name, path)) continue
    const place = `toolsets/${name}/TOOLSET.md`
    files.set(place, toolsetFileText(toolset))
    if (rules !== undefined) files.set(`toolsets/${name}/RULES.md`, `${rules.trimEnd()}\n`)
    items.push(takenItem('toolset', name, sourcePath(path), place, unknownFields(path)))
  }
  await importTools(loaded, files, items, claimName, sourcePath)
  for (const agent of loaded.agents) {
    if (!claimName('agent', agent.name, agent.path)) continue
    const path = `agents/${agent.name}/AGENT.md`
    files.set(path, agentFileText(agent))
    items.push(
      takenItem('agent', agent.name, sourcePath(agent.path), path, [
        ...agentNotes(agent, loaded),
        ...unknownFields(agent.path),
      ]),
    )
  }
  for (const { topic, text, path } of loaded.rules) {
    if (!claimName('rules', topic, path)) continue
    // A topic may be any text, a file name may not.
    const file = `rules/${basename(path ?? 'rules.md')}`
    files.set(file, frontMatterText({ topic }, text))
    items.push(takenItem('rules', topic, sourcePath(path), file))
  }
  items.push(...skippedCarnetItems(loaded, sourcePath))
  const { variables, config } = loaded
  const environment = config.envPrefix.filter((one) => one !== '')
  return writeImport(
    to,
    files,
    items,
    { variables, environment: environment.length === 0 ? {} : { prefix: environment } },
    from,
  )
}

/**
 * Returns the topic that all of the skill's own tools have. It is written once, for tools that do
 * not name it.
 */
function commonTopic({ tools }: Skill): { readonly topic?: string } {
  const topics = new Set(tools.flatMap((tool) => (typeof tool === 'string' ? [] : [tool.topic])))
  const [topic] = topics
  return topics.size === 1 && topic !== undefined ? { topic } : {}
}

function skillNotes({ name, displayName, toolsets, files }: Skill): readonly string[] {
  return [
    ...(displayName !== name && usableName(displayName) === name
      ? [`"${displayName}" is called "${name}" now.`]
      : []),
    ...(toolsets.length > 0 ? ['Its toolsets are in metadata, as loadout.toolsets.'] : []),
    ...(files.some(({ path, description = path }) => description !== path)
      ? ['The descriptions of its files stay in "files", which other programs do not read.']
      : []),
  ]
}

function agentNotes({ name, displayName }: Agent, { config }: LoadedCarnet): readonly string[] {
  const { globalInitialSkills, globalSkills } = config.app
  const shared = [...globalInitialSkills, ...globalSkills]
  return [
    ...(shared.length > 0
      ? [`It lists the skills of every agent itself: ${shared.join(', ')}.`]
      : []),
    ...(displayName === displayNameOf(name) ? [] : [`"${displayName}" is called "${name}" now.`]),
  ]
}

async function importTools(
  { tools, handlers }: LoadedCarnet,
  files: Map<string, string | Uint8Array>,
  items: ImportItem[],
  claimName: (kind: ImportItem['kind'], name: string, path: string | undefined) => boolean,
  sourcePath: (path: string | undefined) => string | null,
): Promise<void> {
  for (const tool of tools) {
    const { name } = tool
    const source = handlers.find((one) => one.tool === tool)?.folder ?? undefined
    if (!claimName('tool', name, source)) continue
    const folder = `tools/${name}`
    if (source !== undefined) {
      const copied = await folderFiles(source)
      for (const [inner, bytes] of copied.files) files.set(`${folder}/${inner}`, bytes)
      const defines = copied.files.has('schema.json') ? 'schema.json' : 'TOOL.md'
      const notes = copied.diagnostics.map(({ message }) => message)
      items.push(takenItem('tool', name, sourcePath(source), `${folder}/${defines}`, notes))
      continue
    }
    for (const [inner, text] of toolFolderFiles(tool)) files.set(`${folder}/${inner}`, text)
    const notes = [
      'Its arguments are unknown: describe them in schema.json, or register the tool in code.',
    ]
    items.push(takenItem('tool', name, null, `${folder}/schema.json`, notes))
  }
}

/**
 * Returns items for definitions that could not be read, and for settings of Carnet that have no
 * effect here.
 */
function skippedCarnetItems(
  { items, diagnostics, config }: LoadedCarnet,
  sourcePath: (path: string | undefined) => string | null,
): readonly ImportItem[] {
  const unread = items
    .filter(({ name }) => name === null)
    .map(({ kind, path }) => {
      const fault = diagnostics.find(({ file, severity }) => file === path && severity === 'error')
      const why = fault?.message ?? 'It could not be read.'
      return leftItem(kind, basename(dirname(path)), sourcePath(path), why)
    })
  const excluded = diagnostics
    .filter(({ code }) => code === 'carnet-excluded')
    .map(({ message }) => leftItem('file', CARNET_CONFIG, CARNET_CONFIG, message))
  const output =
    config.output === null
      ? []
      : [
          leftItem(
            'settings',
            'output',
            CARNET_CONFIG,
            `Carnet wrote its manifest to "${config.output}"; use "loadout build --out" to set the path here.`,
          ),
        ]
  return [...unread, ...excluded, ...output]
}
