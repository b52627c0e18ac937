import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Diagnostic } from '../../entries/index.ts'
import { shellWord, usableName } from '../../entries/kit.ts'
import { parseSkillFile } from '../../entries/definitions.ts'
import { configName } from './config/load-config.ts'
import { hasDescription } from './folders/load-folder.ts'
import type { Project, ProjectOptions } from './folders/open-project.ts'
import { isInside } from './walk/is-inside.ts'
import {
  clientFolder,
  findRepository,
  OTHER_CLIENT_FOLDERS,
  SKILL_FOLDERS,
} from './walk/link-reach.ts'
import { type LoadLimits, resolveOptions } from './walk/load-options.ts'
import { FILES_AT_ONCE, mapBounded } from './walk/map-bounded.ts'
import { readText } from './walk/read-inside.ts'
import { userHome } from './walk/user-home.ts'
import { type Folder, walkFolders } from './walk/walk-folders.ts'

/** The use that is made of a definition on disk, or the kind of reason why none is made. */
export type InventoryState =
  | 'read'
  | 'linked'
  | 'shadowed'
  | 'broken'
  | 'misspelt'
  | 'one-file'
  | 'link-out'
  | 'link-broken'
  | 'cut'
  | 'nested'
  | 'other-client'
  | 'plugin'
  | 'command'
  | 'agent'
  | 'above'
  | 'below'
  | 'package'
  | 'elsewhere'

/** Something on disk that is a skill, or that a person may take for one. */
export interface InventoryEntry {
  readonly name: string
  readonly path: string
  readonly state: InventoryState
  /** The reason why it is not loaded; for one that is read through a link, where the link leads. */
  readonly reason: string
  /** One command, or one change of a file, after which it is loaded; empty for what is read. */
  readonly fix: string
}

export interface Inventory {
  readonly entries: readonly InventoryEntry[]
  /** What was not looked at, in words. */
  readonly limits: readonly string[]
}

/** Where to look, in addition to what the project has read. */
interface InventoryPlaces {
  /** The folder of the project. */
  readonly folder: string
  readonly home: string | null
  /** True when paths were given: the default folders were not read then. */
  readonly given: boolean
  /** A name that is looked for behind links that are not followed. */
  readonly name?: string
}

/** States that are a mistake of somebody, and not a choice. */
export const MISTAKES: ReadonlySet<InventoryState> = new Set<InventoryState>([
  'broken',
  'misspelt',
  'one-file',
  'link-out',
  'link-broken',
  'cut',
])

const REPOSITORY_LIMITS: LoadLimits = { maxDepth: 64, maxFolders: 20_000 }
const FOLDER_LIMITS: LoadLimits = { maxDepth: 64, maxFolders: 2_000 }
const PLACE_LIMITS: LoadLimits = { maxDepth: 4, maxFolders: 200 }

/** Parents that are looked at outside of a repository. */
const MOST_PARENTS = 8

/**
 * Lists the skills of a project on disk, read or not, with the reason for each that is not, and what to do.
 *
 * Looks at the repository of the project, or at its folder outside of one; at the folders of skills of clients in the
 * home, and outside of a repository in the parents; and at packages in `node_modules`. Runs no code, and reads nothing
 * that a link out of these folders leads to.
 *
 * @param paths the paths that were given
 * @param name is looked for behind links that are not followed, too
 */
export async function takeInventory(
  project: Project,
  paths: readonly string[],
  { project: current = process.cwd(), home: given }: Pick<ProjectOptions, 'project' | 'home'>,
  name?: string,
): Promise<Inventory> {
  const places: InventoryPlaces = {
    folder: current,
    home: given === undefined ? userHome() : given,
    given: paths.length > 0,
    ...(name !== undefined && { name }),
  }
  const folder = await real(places.folder)
  const home = places.home === null ? null : await real(places.home)
  const { root } = await findRepository(folder, home)
  const scans = await scan(folder, root, home)
  const read = await readEntries(project)
  const known = new Set(read.flatMap(({ file, entry }) => [file, entry.path]))
  const context: Context = {
    ...{ project, places, folder, home, root },
    roots: await Promise.all(project.roots.map(real)),
    skillFolders: new Set(
      scans.folders.filter((one) => skillFile(one) !== undefined).map((one) => one.real),
    ),
    plugins: new Set(
      scans.folders
        .filter(({ entries }) => entries.some(({ name }) => name === '.claude-plugin'))
        .map((one) => one.real),
    ),
    config: project.config.file ?? join(folder, (await configName(folder)) ?? CONFIG),
    imported: await freeName(folder, 'imported'),
  }
  const found = scans.folders.flatMap((one) => candidates(one, context))
  const unread = await mapBounded(
    [...new Map(found.map((one) => [one.file, one])).values()].filter(
      ({ file }) => !known.has(file),
    ),
    FILES_AT_ONCE,
    (one) => entryFor(one, context),
  )
  const links = await mapBounded(
    [...scans.diagnostics, ...project.diagnostics],
    FILES_AT_ONCE,
    (one) => linkEntries(one, context),
  )
  const entries = new Map(
    [...read.map(({ entry }) => entry), ...unread.flat(), ...links.flat()].map((one) => [
      one.path,
      one,
    ]),
  )
  const cut = scans.diagnostics.filter(({ code }) => code === 'scan-cut')
  return {
    entries: [...entries.values()],
    limits: cut.map(({ file = '', message }) => `${file}: ${message}`),
  }
}

const CONFIG = 'loadout.config.json'

interface Context {
  readonly project: Project
  readonly places: InventoryPlaces
  /** Real paths. */
  readonly folder: string
  readonly home: string | null
  /** The root of the repository; null outside of one. */
  readonly root: string | null
  readonly roots: readonly string[]
  readonly skillFolders: ReadonlySet<string>
  readonly plugins: ReadonlySet<string>
  readonly config: string
  /** A folder that does not exist yet, from the project. */
  readonly imported: string
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}

async function freeName(folder: string, name: string): Promise<string> {
  const names = new Set(await readdir(folder).catch((): string[] => []))
  for (let at = 1; ; at += 1) {
    const free = at === 1 ? name : `${name}-${at}`
    if (!names.has(free)) return free
  }
}

/** Walks every place in which skills may be. */
async function scan(folder: string, root: string | null, home: string | null) {
  const clients = [...SKILL_FOLDERS, ...OTHER_CLIENT_FOLDERS]
  const isHome = home !== null && isInside(folder, home)
  const walks: (readonly [string, LoadLimits])[] = []
  // The home, or a parent of it, has much that is no project.
  if (!isHome) {
    walks.push([root ?? folder, root === null ? FOLDER_LIMITS : REPOSITORY_LIMITS])
  }
  const owner = (await stat(folder).catch(() => null))?.uid
  const above = []
  for (let at = dirname(root ?? folder); above.length < MOST_PARENTS; at = dirname(at)) {
    const isOther = (await stat(at).catch(() => null))?.uid !== owner
    if (isOther || dirname(at) === at || (home !== null && isInside(at, home))) break
    above.push(at)
  }
  for (const at of isHome ? [folder] : above) {
    for (const one of [...clients, 'skills']) walks.push([join(at, one), PLACE_LIMITS])
  }
  for (const one of home === null ? [] : clients) walks.push([join(home, one), PLACE_LIMITS])
  for (const one of await packages(folder)) walks.push([join(one, 'skills'), PLACE_LIMITS])
  const folders: Folder[] = []
  const diagnostics: Diagnostic[] = []
  for (const [path, limits] of walks) {
    const start = await realpath(path).catch(() => null)
    if (start === null) continue
    const walk = await walkFolders(start, resolveOptions({ limits }), () => true)
    folders.push(...walk.folders)
    diagnostics.push(...walk.diagnostics)
  }
  return { folders, diagnostics }
}

/** Returns the folders of the packages that are installed in a folder. */
async function packages(folder: string): Promise<readonly string[]> {
  const modules = join(folder, 'node_modules')
  const names = await readdir(modules).catch((): string[] => [])
  const scoped = await mapBounded(names, FILES_AT_ONCE, async (name) => {
    if (!name.startsWith('@')) return [name]
    const inner = await readdir(join(modules, name)).catch((): string[] => [])
    return inner.map((one) => join(name, one))
  })
  return scoped.flat().map((name) => join(modules, name))
}

/** Returns what was read, with the real path of each file. */
async function readEntries({ catalog, items, diagnostics }: Project) {
  const shadowed = new Set(catalog.shadowedSkills)
  const skills = [...catalog.skills.values(), ...shadowed].flatMap((skill) =>
    skill.path === undefined ? [] : [{ skill, path: skill.path }],
  )
  const read = await mapBounded(skills, FILES_AT_ONCE, async ({ skill, path }) => {
    const file = await real(path)
    const { name, hash } = skill
    const first = catalog.skills.get(name)
    if (shadowed.has(skill)) {
      const same = first?.hash === hash ? ', and has the same content' : ''
      const reason = `The skill ${first?.path ?? 'that is defined in code'} has the same name, is read first${same}.`
      const fix = `Write "name: ${name}-2" in the front matter of ${path}.`
      return { file, entry: { name, path, state: 'shadowed', reason, fix } as const }
    }
    const isLinked = file !== path
    const reason = isLinked ? `It is read through a link to ${dirname(file)}.` : ''
    const state = isLinked ? 'linked' : 'read'
    return { file, entry: { name, path, state, reason, fix: '' } as const }
  })
  const broken = items.filter(({ kind, name }) => kind === 'skill' && name === null)
  const faults = await mapBounded(broken, FILES_AT_ONCE, async ({ path }) => {
    const error = diagnostics.find((one) => one.file === path && one.severity === 'error')
    const line = error?.line === undefined ? '' : `Line ${error.line}: `
    const reason = `It could not be loaded. ${line}${error?.message ?? ''}`.trim()
    const fix = error?.code === 'link-outside' ? FOLLOW : (error?.hint ?? '')
    const name = await nameIn(path, dirname(path))
    return { file: await real(path), entry: { name, path, state: 'broken', reason, fix } as const }
  })
  return [...read, ...faults]
}

const FOLLOW = 'loadout skills --follow-links-out'

/** Reads the name of a skill; that of its folder when it has none. */
async function nameIn(file: string, folder: string): Promise<string> {
  const boundary = await real(folder)
  const text = await readText(boundary, file, { followLinksOut: false }, [])
  const own = basename(folder)
  if (text === null) return own
  const parsed = parseSkillFile({ text, file, folder: own }, 'open').definition?.name
  const [, written = ''] = /^---[^]*?^name:\s*(.+)$/m.exec(text) ?? []
  return parsed ?? usableName(written) ?? own
}

/** A file that may be what a person means. */
interface Candidate {
  readonly kind: 'skill' | 'one-file' | 'command' | 'agent'
  readonly file: string
  readonly folder: string
}

function skillFile({ entries }: Folder): string | undefined {
  const names = entries.map(({ name }) => name).filter((name) => /^skill\.md$/i.test(name))
  return names.find((name) => /^(?:SKILL|skill)\.md$/.test(name)) ?? names[0]
}

function candidates(folder: Folder, { skillFolders, plugins }: Context): readonly Candidate[] {
  const { real: path, entries } = folder
  const own = skillFile(folder)
  if (own !== undefined) return [{ kind: 'skill', file: join(path, own), folder: path }]
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const texts = files.filter((name) => name.endsWith('.md'))
  const owner = (at: string, name: string): boolean =>
    basename(at) === name
      ? basename(dirname(at)) === '.claude' || plugins.has(dirname(at))
      : at !== dirname(at) && owner(dirname(at), name)
  const of = (kind: Candidate['kind'], names: readonly string[]) =>
    names.map((name): Candidate => ({ kind, file: join(path, name), folder: path }))
  if (owner(path, 'commands')) return of('command', texts)
  if (owner(path, 'agents')) return of('agent', texts)
  if (basename(path) === 'skills') return of('one-file', texts)
  const isInSkills = basename(dirname(path)) === 'skills'
  const isGroup = [...skillFolders].some((one) => isInside(path, one))
  const isNamed = files.includes('skill.json') || texts.length === 1
  return isInSkills && !isGroup && isNamed ? of('one-file', texts.slice(0, 1)) : []
}

/** Returns the entry of a file that was not read; none for a text that is no skill. */
async function entryFor(found: Candidate, context: Context): Promise<readonly InventoryEntry[]> {
  const { kind, file, folder } = found
  const at = (path: string) => shownPath(path, context.folder)
  if (kind === 'skill') {
    const name = await nameIn(file, folder)
    return [{ name, path: file, ...unreadSkill(found, context) }]
  }
  const name = basename(file, '.md')
  if (kind === 'one-file') {
    const text = await readText(folder, file, { followLinksOut: false }, [])
    const isAlone = basename(folder) === 'skills'
    const isJson = text !== null && !isAlone && !hasDescription(text)
    if (text === null || (isJson && !(await stat(join(folder, 'skill.json')).catch(() => null)))) {
      return []
    }
    if (isAlone && !hasDescription(text)) return []
    const target = isAlone ? join(folder, name) : folder
    const skill = join(target, 'SKILL.md')
    const make = isAlone ? `mkdir -p ${at(target)} && ` : ''
    const fix = isJson
      ? `printf '%s\\n' --- ${shellWord(`name: ${basename(folder)}`)} ${shellWord(`description: Use the skill ${basename(folder)}.`)} --- | cat - ${at(file)} > ${at(skill)}`
      : `${make}mv ${at(file)} ${at(skill)}`
    const reason = `A skill is a folder with a SKILL.md, and this is another file.`
    const named = hasDescription(text) ? await nameIn(file, target) : basename(target)
    return [{ name: named, path: file, state: 'one-file', reason, fix }]
  }
  const isCommand = kind === 'command'
  const owner = folder.slice(0, folder.lastIndexOf(isCommand ? 'commands' : 'agents') - 1)
  const out = context.imported
  const inner = relative(join(owner, 'commands'), file.slice(0, -'.md'.length))
  return [
    {
      name: isCommand ? inner.split(sep).join(':') : name,
      path: file,
      state: kind,
      reason: isCommand
        ? 'It is a command of Claude Code, and not a skill.'
        : 'It is an agent of Claude Code in one file, and not a skill.',
      fix: `loadout import claude ${at(owner)} ${out} && loadout list ${out}`,
    },
  ]
}

function shownPath(path: string, folder: string): string {
  if (path === folder) return '.'
  const inner = isInside(folder, path) ? relative(folder, path) : path
  return shellWord(inner.startsWith('-') ? `./${inner}` : inner)
}

/** Returns why a SKILL.md was not read, and what to do. */
function unreadSkill(
  { file, folder }: Candidate,
  context: Context,
): Pick<InventoryEntry, 'state' | 'reason' | 'fix'> {
  const { project, places, roots, skillFolders, plugins, home } = context
  const at = (path: string) => shownPath(path, context.folder)
  if (project.config.catalog !== null) {
    const config = basename(context.config)
    const reason = `The catalog of ${config} takes the place of folders.`
    return { state: 'elsewhere', reason, fix: `Leave "catalog" out of ${config}.` }
  }
  if (!/^(?:SKILL|skill)\.md$/.test(basename(file))) {
    const reason = `The file is named "${basename(file)}": case matters, and only SKILL.md is read.`
    return {
      state: 'misspelt',
      reason,
      fix: `mv ${at(file)} ${at(join(dirname(file), 'SKILL.md'))}`,
    }
  }
  const root = roots.find((one) => isInside(one, folder))
  const outer = ancestors(folder).find((one) => skillFolders.has(one))
  if (outer !== undefined) {
    const isBroken = project.items.some(
      ({ path, name, kind }) => kind === 'skill' && name === null && dirname(path) === outer,
    )
    const what = `It is inside the skill ${at(outer)}${isBroken ? ', which could not be loaded' : ''}`
    const target = join(dirname(outer), basename(folder))
    const isFree = root !== undefined && outer !== root && !skillFolders.has(target)
    const fix = isFree ? `mv ${at(folder)} ${at(target)}` : readFix(folder, folder, context)
    return { state: 'nested', reason: `${what}: it is a file of that skill.`, fix }
  }
  if (root !== undefined) {
    const cut = project.diagnostics.some(({ code, file: at }) => code === 'scan-cut' && at === root)
    const depth = relative(root, folder).split(sep).length
    const isDeep = depth > resolveOptions({}).limits.maxDepth
    if (cut) {
      const words = places.given ? ` ${at(root)}` : ''
      return {
        state: 'cut',
        reason: isDeep
          ? `It is ${depth} levels below ${at(root)}, and fewer are read.`
          : `The search of ${at(root)} ended before it: there are too many folders.`,
        fix: `loadout skills${words} ${isDeep ? `--max-depth ${depth}` : '--max-folders 200000'}`,
      }
    }
    const reason = 'The configuration of its Carnet project leaves it out.'
    return { state: 'elsewhere', reason, fix: readFix(folder, folder, context) }
  }
  const plugin = ancestors(folder).find((one) => plugins.has(one))
  const place = clientFolder(folder)
  if (plugin !== undefined && plugin !== context.folder && place?.base === plugin) {
    const reason = `It is part of the plugin in ${at(plugin)}, which is read when its folder is named.`
    return { state: 'plugin', reason, fix: readFix(plugin, folder, context) }
  }
  if (folder.split(sep).includes('node_modules')) {
    const reason = 'It is part of an installed package, and node_modules is not searched.'
    return { state: 'package', reason, fix: readFix(folder, folder, context) }
  }
  if (place === null) {
    const reason = `${at(dirname(folder))} is none of the folders that are searched.`
    return { state: 'elsewhere', reason, fix: readFix(folder, folder, context) }
  }
  const skills = join(place.base, place.skills)
  const fix = readFix(skills, folder, context)
  if (!place.isSearched) {
    const reason = `${at(skills)} is a folder of another client, and is not searched.`
    return { state: 'other-client', reason, fix }
  }
  const isDefault =
    place.base === context.folder ||
    place.base === home ||
    (isInside(place.base, context.folder) &&
      context.root !== null &&
      isInside(context.root, place.base))
  if (isDefault && !places.given) {
    const reason = `The configuration leaves out the folders of parents (folders.parents).`
    const on = `Write "folders": { "parents": true } in ${basename(context.config)}.`
    return { state: 'above', reason, fix: on }
  }
  if (isDefault) {
    return { state: 'elsewhere', reason: 'Only the paths that were given are read.', fix }
  }
  if (isInside(place.base, context.folder)) {
    const reason = `${at(skills)} is above the current folder, and both are in no common repository.`
    return { state: 'above', reason, fix }
  }
  const isBelow = isInside(context.folder, place.base)
  const reason = isBelow
    ? `${at(skills)} is below the current folder: only folders of it and of its parents are searched.`
    : `${at(skills)} is of another package: only folders of the current one and of its parents are searched.`
  return { state: isBelow ? 'below' : 'elsewhere', reason, fix }
}

function ancestors(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...ancestors(above)]
}

/** Returns what makes a folder (`place`) read: the project names it, or the home links to the skill in it. */
function readFix(place: string, folder: string, { places, home, ...context }: Context): string {
  if (!places.given && isInside(context.folder, place)) {
    const inner = relative(context.folder, place).split(sep).join('/') || '.'
    return `Add ${JSON.stringify(inner)} to "skills" in ${basename(context.config)}.`
  }
  const isOfHome = home !== null && isInside(home, folder) && clientFolder(folder)?.base === home
  if (!places.given && isOfHome) {
    const target = join(home, '.agents/skills')
    const link = join(target, basename(folder))
    return `mkdir -p ${shellWord(target)} && ln -s ${shellWord(folder)} ${shellWord(link)}`
  }
  return `loadout skills ${shownPath(place, context.folder)}`
}

/** Returns the entries of a link that was not followed: its own, or the one that is looked for behind it. */
async function linkEntries(
  { code, file = '', severity }: Diagnostic,
  { places, folder, root }: Context,
): Promise<readonly InventoryEntry[]> {
  const exists = async (path: string) => (await stat(path).catch(() => null)) !== null
  const place = clientFolder(file)
  if (severity === 'error' || place === null) return []
  const name = basename(file)
  if (code === 'file-not-found' || code === 'link-broken') {
    const reason = 'It is a link that leads to nothing.'
    return [
      { name, path: file, state: 'link-broken', reason, fix: `rm ${shownPath(file, folder)}` },
    ]
  }
  if (code !== 'link-outside') return []
  const inner = places.name === undefined ? null : join(file, places.name)
  const isSkill = await exists(join(file, 'SKILL.md'))
  const isInner = inner !== null && !isSkill && (await exists(join(inner, 'SKILL.md')))
  const isPlace = file === join(place.base, place.skills)
  if (!isSkill && !isInner && !isPlace) return []
  const of = root === null ? 'the folders that links may lead to' : 'the repository'
  const reason = `It is a link to ${await real(file)}, which leads out of ${of}, and is not followed.`
  const path = isInner ? inner : file
  return [{ name: basename(path), path, state: 'link-out', reason, fix: FOLLOW }]
}

/** Returns true for an entry that a person means by a name: of the skill, of its folder or of its file. */
export function isNamed(entry: InventoryEntry, name: string): boolean {
  const wanted = name.replace(/^\//, '').toLowerCase()
  const last = basename(entry.path, '.md')
  const folder = /^skill$/i.test(last) ? basename(dirname(entry.path)) : last
  const own = entry.name.toLowerCase()
  return [own, folder.toLowerCase(), own.split(':').at(-1)].includes(wanted)
}
