import { basename, dirname, join, relative, sep } from 'node:path'
import {
  type Agent,
  type AgentDefinition,
  defineAgent,
  type Diagnostic,
  WorkspaceError,
} from '../../../entries/index.ts'
import { parseAgentFile, parseRulesFile } from '../../../entries/definitions.ts'
import type { CarnetApp } from '../../../connections/carnet/format/carnet-manifest.ts'
import { carnetName } from '../../../connections/carnet/format/definitions-of-manifest.ts'
import { loadSkillFolder, skillFileName } from './load-skill-folder.ts'
import { loadToolFolder } from './load-tool-folder.ts'
import { loadToolModules } from './load-tool-modules.ts'
import { loadToolsetFolder } from './load-toolset-folder.ts'
import { type Found, joinFound, NOTHING_FOUND, type RootContext } from './loaded.ts'
import { readSidecarSchema } from './read-sidecar-schema.ts'
import { isInside } from '../walk/is-inside.ts'
import { readText } from '../walk/read-inside.ts'
import type { Folder } from '../walk/walk-folders.ts'

/** Reads all definitions of one folder of a walk. A skill's folder defines nothing else. */
export async function loadFolder(folder: Folder, given: RootContext): Promise<Found> {
  const { root, options } = given
  const isLinked = !isInside(root, folder.real)
  // Code that a link leads to belongs to its own folder, which the person trusts or not.
  const context = isLinked ? { ...given, root: folder.real } : given
  const names = new Set(folder.entries.map(({ name }) => name))
  const skillFile = skillFileName(folder)
  if (skillFile !== undefined) {
    return context.keeps(join(folder.path, skillFile))
      ? loadSkillFolder(folder, context)
      : NOTHING_FOUND
  }
  const boundary = options.followLinksOut || isLinked ? folder.real : root
  // A name such as `SKILL.MD` in a folder without a skill.
  const misspelt = folder.entries.filter(({ name }) => /^skill\.md$/i.test(name))
  const found: Found[] = misspelt.map(({ name }) => ({
    ...NOTHING_FOUND,
    diagnostics: [misspeltSkillFile(join(folder.path, name))],
  }))
  found.push(await skillsInOneFile(folder, boundary, options))
  if (names.has('TOOLSET.md')) found.push(await loadToolsetFolder(folder, boundary, context))
  if (names.has('AGENT.md') && isInFolderNamed('agents', folder.path, root)) {
    found.push(await loadAgentFile(folder, boundary, context))
  }
  const described = names.has('TOOL.md') && isInFolderNamed('tools', folder.path, root)
  if (described || (names.has('schema.json') && isTop('tools', dirname(folder.path), root))) {
    const file = join(folder.path, names.has('schema.json') ? 'schema.json' : 'TOOL.md')
    if (context.keeps(file)) found.push(await loadToolFolder(folder, boundary, context))
  }
  if (isTop('tools', folder.path, root)) {
    const { modules, ...rest } = await loadToolModules(folder, boundary, context)
    const kept = { toolModules: modules, files: modules.length }
    found.push({ ...NOTHING_FOUND, ...rest, ...kept })
  }
  if (isTop('rules', folder.path, root)) found.push(await loadRules(folder, boundary, context))
  return joinFound(found)
}

function misspeltSkillFile(file: string): Diagnostic {
  return {
    code: 'skill-file-name',
    severity: 'warning',
    message: `The file "${basename(file)}" is not read as a skill: case matters in its name.`,
    hint: 'Rename it to SKILL.md.',
    file,
  }
}

/** Reports files of Markdown in a folder of skills that begin as a skill does: some expect that each is one. */
async function skillsInOneFile(
  folder: Folder,
  boundary: string,
  options: RootContext['options'],
): Promise<Found> {
  const diagnostics: Diagnostic[] = []
  const isOfSkills = basename(folder.path) === 'skills'
  for (const { name } of isOfSkills ? folder.entries : []) {
    const file = join(folder.path, name)
    if (!/^(?!skill\.md$).+\.md$/i.test(name)) continue
    const text = await readText(boundary, file, options, [])
    if (text === null || !hasDescription(text)) continue
    diagnostics.push({
      code: 'skill-one-file',
      severity: 'warning',
      message: `The file "${name}" is not read as a skill: a skill is a folder with a SKILL.md.`,
      hint: `Make a folder "${name.slice(0, -'.md'.length)}", and move the file to SKILL.md in it.`,
      file,
    })
  }
  return { ...NOTHING_FOUND, diagnostics }
}

/** Returns true for a text whose front matter has a description, as that of a skill has. */
export function hasDescription(text: string): boolean {
  const [first = '', ...lines] = text.split('\n', 200)
  const end = lines.findIndex((line) => line.startsWith('---'))
  const isFront = first.trimEnd() === '---' && end > 0
  return isFront && lines.slice(0, end).some((line) => line.startsWith('description:'))
}

/** Returns true for the folder of this name in a given path, or a given folder of this name. */
function isTop(name: string, folder: string, root: string): boolean {
  return folder === join(root, name) || (folder === root && basename(root) === name)
}

/** Reads the `AGENT.md` of a folder; in a Carnet project, adds the skills of every agent. */
async function loadAgentFile(
  folder: Folder,
  boundary: string,
  { options, carnet, keeps }: RootContext,
): Promise<Found> {
  const path = join(folder.path, 'AGENT.md')
  if (!keeps(path)) return NOTHING_FOUND
  const diagnostics: Diagnostic[] = []
  const none = () => ({
    ...NOTHING_FOUND,
    items: [{ kind: 'agent' as const, path, name: null }],
    diagnostics,
    files: 1,
  })
  const text = await readText(boundary, path, options, diagnostics)
  if (text === null) return none()
  const sidecar = await readSidecarSchema(folder, boundary, options, diagnostics)
  const parsed = parseAgentFile(
    { text, file: path, folder: basename(folder.path), ...(sidecar && { sidecar }) },
    carnet === null ? '*' : 'none',
  )
  diagnostics.push(...parsed.diagnostics)
  if (parsed.definition === null) return none()
  try {
    const agent: Agent = defineAgent({ ...withGlobalSkills(parsed.definition, carnet?.app), path })
    const items = [{ kind: 'agent' as const, path, name: agent.name }]
    return { ...NOTHING_FOUND, agents: [agent], items, diagnostics, files: 1 }
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { message, hint } = error
    diagnostics.push({ code: 'agent-invalid', severity: 'error', message, hint, file: path })
    return none()
  }
}

function withGlobalSkills(
  definition: AgentDefinition,
  app: CarnetApp | undefined,
): AgentDefinition {
  if (app === undefined) return definition
  const { initialSkills = [], skills = [] } = definition
  const joined = (before: readonly string[], own: readonly string[]) => [
    ...new Set([...before, ...own].map(carnetName)),
  ]
  return {
    ...definition,
    initialSkills: joined(app.globalInitialSkills, initialSkills),
    skills: skills === '*' ? '*' : joined(app.globalSkills, skills),
  }
}

/** Reads the rules of a folder: one Markdown file for each topic, named after it. */
async function loadRules(
  folder: Folder,
  boundary: string,
  { options, keeps }: RootContext,
): Promise<Found> {
  const found: Found[] = []
  for (const { name } of folder.entries) {
    const path = join(folder.path, name)
    if (!name.endsWith('.md') || name === 'README.md' || !keeps(path)) continue
    const diagnostics: Diagnostic[] = []
    const text = await readText(boundary, path, options, diagnostics)
    const topic = name.slice(0, -'.md'.length)
    const parsed =
      text === null ? null : parseRulesFile({ text, file: path, folder: folder.path }, topic)
    diagnostics.push(...(parsed?.diagnostics ?? []))
    const rules = parsed?.rules ?? null
    found.push({
      ...NOTHING_FOUND,
      rules: rules === null ? [] : [rules],
      items: [{ kind: 'rules', path, name: rules?.topic ?? null }],
      diagnostics,
      files: 1,
    })
  }
  return joinFound(found)
}

/**
 * Returns true for a folder below one of this name, which is the given folder, below it, or its
 * parent. Agents, tools and rules are searched only there, since elsewhere such names mean other
 * things.
 */
function isInFolderNamed(name: string, folder: string, root: string): boolean {
  const above = relative(root, dirname(folder)).split(sep)
  if (folder === root) return basename(dirname(root)) === name
  return basename(root) === name || above.includes(name) || basename(dirname(root)) === name
}
