import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import {
  createCatalog,
  defineSkill,
  type Diagnostic,
  type Skill,
  type TokenCounter,
  VirtualWorkspace,
} from '../../../entries/index.ts'
import { checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import {
  LINT_LEVELS,
  lintCatalog,
  type LintItem,
  type LintLevel,
  type LintReport,
  type NativeInput,
  type PatternList,
  type SkillFolder,
  type ToolFile,
} from '../../../entries/definitions.ts'
import { o200kCounter } from '../../../entries/plan.ts'
import { CARNET_CONFIG } from '../../../connections/carnet/format/carnet-files.ts'
import {
  loadProject,
  type Project,
  PROJECT_OPTIONS,
  type ProjectOptions,
} from '../folders/open-project.ts'
import { definedMeans } from '../folders/defined-means.ts'
import { isOfPlugin } from '../folders/read-plugins.ts'
import { addedSkillFindings } from '../lock/lock-project.ts'
import { type FolderProgress, type ResolvedOptions, resolveOptions } from '../walk/load-options.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { readText } from '../walk/read-inside.ts'
import { walkFolders } from '../walk/walk-folders.ts'
import { givenPaths } from '../walk/given-paths.ts'

export interface LintOptions extends ProjectOptions {
  /** `native` by default. */
  readonly level?: LintLevel
  /** Counts tokens for the checks of budgets; `o200k_base` by default. */
  readonly counter?: TokenCounter
}

const OPTIONS: OptionsOf<LintOptions> = { ...PROJECT_OPTIONS, level: LINT_LEVELS }

/** Texts that belong to a definition, in addition to its own file. */
const SIDECAR_FILES: Readonly<Partial<Record<LintItem['kind'], readonly string[]>>> = {
  tool: ['TOOL.md', 'doc.md', 'doc_summary.md', 'guide.md'],
  toolset: ['RULES.md'],
}

/**
 * Lints every definition at the paths, or in the default paths of the project when none is given,
 * at one level. It reads what `openProject` reads. Throws `PATH_NOT_FOUND` for a path that does not
 * exist.
 */
export async function lintProject(
  paths: string | readonly string[] = [],
  given: LintOptions = {},
): Promise<LintReport> {
  checkOptions(given, OPTIONS)
  return lintPaths(givenPaths(paths), given)
}

/**
 * Lints what `lintProject` lints. Nothing that is given is checked. `onCompared` is called for each definition that is
 * compared with all others, which takes longest.
 */
export async function lintPaths(
  paths: readonly string[],
  { level = 'native', counter, ...reading }: LintOptions,
  onFolder?: FolderProgress,
  onCompared?: (done: number, of: number) => void,
): Promise<LintReport> {
  const options = resolveOptions(reading)
  const project = await loadProject(paths, reading, onFolder)
  const { catalog, diagnostics, roots } = project
  const items = [...project.items, ...(await configItems(project))]
  const all = [...catalog.skills.values(), ...catalog.shadowedSkills]
  const byPath = new Map(all.map((skill) => [skill.path, skill]))
  const skills = await mapBounded(
    items.filter(({ kind, path }) => kind === 'skill' && /^skill\.md$/i.test(basename(path))),
    FILES_AT_ONCE,
    async ({ path }) => ({
      ...(await readSkillFolder(path, byPath.get(path) ?? null, options)),
      isOfPlugin: project.plugins.some((one) => isOfPlugin(path, one)),
    }),
  )
  const folder = resolve(reading.project ?? process.cwd())
  const native =
    level === 'native'
      ? {
          tools: toolFiles(project),
          texts: await textsIn(skills, items, options),
          permissions: permissionLists(project),
          variables: configVariables(project),
          ...(await confusedIn(catalog, onCompared)),
          means: await definedMeans(project, folder),
          counter: counter ?? (await o200kCounter()),
        }
      : null
  const [root = folder] = roots
  const ofProject =
    native === null
      ? []
      : [...(await addedSkillFindings(folder)), ...(await checkListed(project, native.counter))]
  const findings = [...diagnostics, ...ofProject]
  return lintCatalog({ level, catalog, items, skills, diagnostics: findings, root, native })
}

/** Characters of names and descriptions that fit the list of skills in a prompt by default, whatever they are. */
const ALWAYS_FIT = 3_000

/** The skills with the longest descriptions that a finding names. */
const MAX_NAMED = 5

/** Checks that the skills fit the list of skills in a prompt. Nothing but the list is opened. */
async function checkListed(
  { catalog: { skills: all }, config }: Project,
  counter: TokenCounter,
): Promise<readonly Diagnostic[]> {
  const skills = [...all.values()].filter((one) => one.disableModelInvocation !== true)
  const lengths = new Map(
    skills.map(({ name, description }) => [name, name.length + description.length]),
  )
  const length = [...lengths.values()].reduce((sum, one) => sum + one, 0)
  const { catalogBudget } = config.options
  if (catalogBudget === undefined && length < ALWAYS_FIT) return []
  const listed = skills.map(({ name, displayName, description, whenToUse, triggers }) =>
    defineSkill({ name, displayName, description, whenToUse, triggers }),
  )
  const catalog = await createCatalog({ skills: listed })
  const workspace = await VirtualWorkspace.open({
    catalog,
    tokenCounter: counter,
    ...(catalogBudget !== undefined && { catalogBudget }),
  })
  const { notes } = workspace.prompt().document
  await workspace.close()
  const longest = [...lengths].sort(([, a], [, b]) => b - a).slice(0, MAX_NAMED)
  return notes
    .filter(({ section }) => section === 'skill-catalog')
    .map(({ message }) => ({
      code: 'catalog-over-budget',
      severity: 'warning',
      message: `The list of skills in a prompt is too long. ${message}`,
      hint: `Shorten the longest descriptions (${longest.map(([name]) => name).join(', ')}), or give agents a list of their skills.`,
    }))
}

/** Returns all texts that a model may read, by path. */
async function textsIn(
  skills: readonly SkillFolder[],
  items: readonly LintItem[],
  options: ResolvedOptions,
): Promise<ReadonlyMap<string, string>> {
  const ofItems = await mapBounded(items, FILES_AT_ONCE, (item) => itemTexts(item, options))
  const ofSkills = await mapBounded(skills, FILES_AT_ONCE, (one) => otherTexts(one, options))
  const own = skills.flatMap(({ file, text, texts }) => [
    ...(text === null ? [] : [[file, text] as const]),
    ...Array.from(texts, ([path, other]) => [join(dirname(file), path), other] as const),
  ])
  return new Map([...own, ...ofSkills.flat(), ...ofItems.flat()])
}

/** Reads the files of a skill that are text and not Markdown, such as scripts: a model may read them. */
async function otherTexts(
  { file, skill, texts }: SkillFolder,
  options: ResolvedOptions,
): Promise<readonly (readonly [string, string])[]> {
  const folder = dirname(file)
  const real = await realpath(folder).catch(() => folder)
  const found: (readonly [string, string])[] = []
  for (const { path } of skill?.files ?? []) {
    if (texts.has(path)) continue
    const text = await readText(real, join(folder, path), options, [])
    if (text !== null) found.push([join(folder, path), text])
  }
  return found
}

/** Returns the variables of configurations, by file: their values are in prompts. */
function configVariables({ config, carnet }: Project): NativeInput['variables'] {
  return new Map([
    ...(config.file === null ? [] : [[config.file, config.variables] as const]),
    ...carnet.map((one) => [join(one.folder, CARNET_CONFIG), one.config.variables] as const),
  ])
}

function permissionLists({ config: { permissions, file } }: Project): readonly PatternList[] {
  return (['deny', 'ask', 'allow'] as const).map((field) => {
    const rules = (permissions[field] ?? []).map((rule) =>
      typeof rule === 'string' ? { tool: rule } : rule,
    )
    return {
      owner: 'The configuration',
      field: `permissions.${field}`,
      patterns: rules.flatMap(({ tool }) => tool ?? []),
      paths: rules.flatMap(({ tool, where }) =>
        tool === undefined ? [] : Object.keys(where ?? {}).map((path) => ({ tool, path })),
      ),
      ...(file !== null && { file }),
    }
  })
}

/**
 * Compares definitions. The search is imported only here, because it takes time to load and other
 * levels do not need it.
 */
async function confusedIn(
  catalog: Project['catalog'],
  onCompared: ((done: number, of: number) => void) | undefined,
): Promise<Pick<NativeInput, 'confused' | 'limits'>> {
  const { confusedPairs, MOST_FULLY_COMPARED, documentsOf } =
    await import('../../../entries/search.ts')
  const documents = documentsOf(catalog)
  const isCut = documents.length > MOST_FULLY_COMPARED
  return {
    confused: confusedPairs(documents, onCompared),
    limits: isCut
      ? [
          `Each of ${documents.length} tools and skills was compared only with those that share its rarest words. Two that share only common words may be confused without a finding.`,
        ]
      : [],
  }
}

/** Returns the configurations that were read, or should have been. */
async function configItems({ config, diagnostics, carnet }: Project): Promise<readonly LintItem[]> {
  const items: LintItem[] = []
  const unread = diagnostics.find(({ file = '' }) => /^loadout\.config\.\w+$/.test(basename(file)))
  const path = config.file ?? unread?.file
  if (path !== undefined) {
    items.push({ kind: 'config', path, name: config.file === null ? null : basename(path) })
  }
  for (const { folder } of carnet) {
    const names = await readdir(folder).catch((): string[] => [])
    if (!names.includes(CARNET_CONFIG)) continue
    items.push({ kind: 'config', path: join(folder, CARNET_CONFIG), name: CARNET_CONFIG })
  }
  return items
}

/** Returns the tools of folders with their files, then those of a configuration. */
function toolFiles({ items, handlers, config, catalog }: Project): readonly ToolFile[] {
  const byFile = new Map(handlers.map(({ file, tool }) => [file, tool]))
  const read = items.flatMap(({ kind, path, name }): readonly ToolFile[] => {
    if (kind !== 'tool' || name === null) return []
    const tool = byFile.get(path) ?? catalog.sharedTools.get(name)?.[0]
    return tool === undefined ? [] : [{ tool, file: path }]
  })
  const given = [...config.tools, ...config.toolsets.flatMap(({ tools }) => tools)]
  const { file } = config
  if (file === null) return read
  return [...read, ...given.flatMap((tool) => (typeof tool === 'string' ? [] : [{ tool, file }]))]
}

async function itemTexts(
  { kind, path }: LintItem,
  options: ResolvedOptions,
): Promise<readonly (readonly [string, string])[]> {
  if (kind === 'skill' || kind === 'folder') return []
  const folder = dirname(path)
  const existing = await readdir(folder).catch((): string[] => [])
  const names = new Set([
    basename(path),
    ...(SIDECAR_FILES[kind] ?? []).filter((one) => existing.includes(one)),
  ])
  const real = await realpath(folder).catch(() => folder)
  const read = await mapBounded([...names], FILES_AT_ONCE, async (name) => {
    const file = join(folder, name)
    const text = await readText(real, file, options, [])
    return text === null ? [] : [[file, text] as const]
  })
  return read.flat()
}

/**
 * Reads the texts and names in a skill's folder again, with the rules of the readers. Files that
 * cannot be read are left out, because the readers have reported them.
 */
async function readSkillFolder(
  file: string,
  skill: Skill | null,
  options: ResolvedOptions,
): Promise<Omit<SkillFolder, 'isOfPlugin'>> {
  const folder = dirname(file)
  const real = await realpath(folder).catch(() => folder)
  const read = (path: string) => readText(real, path, options, [])
  const text = await read(file)
  const walk = await walkFolders(real, options, () => true)
  const paths = new Set<string>()
  for (const { path, entries } of walk.folders) {
    for (const { name } of entries) paths.add(relative(real, join(path, name)).replaceAll(sep, '/'))
  }
  const texts = new Map<string, string>()
  for (const { path } of skill?.files ?? []) {
    if (!/\.(?:md|markdown|txt)$/i.test(path)) continue
    const text = await read(join(folder, path))
    if (text !== null) texts.set(path, text)
  }
  const pathsAbove = await namedElsewhere(real, text ?? '')
  return { file, folder: basename(folder), text, skill, paths, pathsAbove, texts }
}

/** Returns the files of parts of skills, relative to the folders above a skill, and to the skills next to it that it names. */
async function namedElsewhere(folder: string, text: string): Promise<ReadonlySet<string>> {
  const above = dirname(folder)
  const siblings = await readdir(above).catch((): string[] => [])
  const named = siblings.filter((one) => one !== basename(folder) && text.includes(`../${one}`))
  const folders = [above, dirname(above), ...named.map((one) => join(above, one))]
  const found = await mapBounded(folders, FILES_AT_ONCE, (one) =>
    Promise.all(
      ['scripts', 'references', 'assets'].map(async (part) => {
        const files = await readdir(join(one, part), { recursive: true }).catch((): string[] => [])
        return files.map((path) => `${part}/${path.replaceAll(sep, '/')}`)
      }),
    ),
  )
  return new Set(found.flat(2))
}
