import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Diagnostic } from '../../../entries/index.ts'
import { shellWord, usableName } from '../../../entries/kit.ts'
import { parseSkillFile } from '../../../entries/definitions.ts'
import { hasDescription } from '../folders/load-folder.ts'
import type { Project } from '../folders/open-project.ts'
import { isInside } from '../walk/is-inside.ts'
import { clientFolder } from '../walk/link-reach.ts'
import { resolveOptions } from '../walk/load-options.ts'
import { readText } from '../walk/read-inside.ts'
import type { InventoryEntry } from './inventory-entry.ts'
import { type FoundFile, isPlace, partOwner, type ScannedPlaces } from './scan-places.ts'

/** The project, and where its definitions may be. All paths are real. */
export interface UnreadContext {
  readonly project: Project
  readonly folder: string
  readonly home: string | null
  /** The root of the repository; null outside of one. */
  readonly root: string | null
  readonly roots: readonly string[]
  readonly scanned: ScannedPlaces
  /** True when paths were given: the default folders were not read then. */
  readonly isGiven: boolean
  /** A name that is looked for behind links. */
  readonly name: string | undefined
  /** The file of the configuration, which may not exist. */
  readonly config: string
  /** The name of a folder that does not exist in the project. */
  readonly imported: string
}

type Why = Pick<InventoryEntry, 'state' | 'reason' | 'fix'>

export const FOLLOW_LINKS = 'loadout skills --follow-links-out'

/** Reads the name of a skill; that of its folder when it has none. */
export async function skillNameIn(file: string, folder: string): Promise<string> {
  const boundary = await realpath(folder).catch(() => folder)
  const text = await readText(boundary, file, { followLinksOut: false }, [])
  const own = basename(folder)
  if (text === null) return own
  const parsed = parseSkillFile({ text, file, folder: own }, 'open').definition?.name
  const written = text.split('\n', 50).find((line) => line.startsWith('name:')) ?? ''
  return parsed ?? usableName(written.slice('name:'.length).trim()) ?? own
}

/** Returns the entry of a file that was not read; none for a text that is no skill. */
export async function unreadEntries(
  found: FoundFile,
  context: UnreadContext,
): Promise<readonly InventoryEntry[]> {
  const { kind, file, folder } = found
  if (kind === 'one-file') return oneFile(found, context)
  if (kind === 'skill') {
    const why = whyUnread(found, context)
    return [{ name: await skillNameIn(file, folder), path: file, ...why }]
  }
  const part = `${kind}s`
  const owner = partOwner(folder, part, context.scanned.plugins) ?? folder
  const inner = relative(join(owner, part), file.slice(0, -'.md'.length))
  const { imported } = context
  return [
    {
      name: inner.split(sep).join(':'),
      path: file,
      state: kind,
      reason: `It is ${kind === 'agent' ? 'an agent' : 'a command'} of Claude Code in one file, and not a skill.`,
      fix: `loadout import claude ${shown(owner, context)} ${imported} && loadout list ${imported}`,
    },
  ]
}

/** Returns the entry of a file of Markdown that begins as a skill does, or that a `skill.json` describes. */
async function oneFile(
  { file, folder }: FoundFile,
  context: UnreadContext,
): Promise<readonly InventoryEntry[]> {
  const text = await readText(folder, file, { followLinksOut: false }, [])
  if (text === null) return []
  const isAlone = isPlace(folder)
  const isDescribed = hasDescription(text)
  const isJson = !isAlone && (await exists(join(folder, 'skill.json')))
  if (!isDescribed && !isJson) return []
  const target = isAlone ? join(folder, basename(file, '.md')) : folder
  const [from, to] = [shown(file, context), shown(join(target, 'SKILL.md'), context)]
  const own = basename(target)
  const front = `--- ${shellWord(`name: ${own}`)} ${shellWord(`description: Use the skill ${own}.`)} ---`
  const fix = isDescribed
    ? `${isAlone ? `mkdir -p ${shown(target, context)} && ` : ''}mv ${from} ${to}`
    : `printf '%s\\n' ${front} | cat - ${from} > ${to}`
  const name = isDescribed ? await skillNameIn(file, target) : own
  const reason = 'A skill is a folder with a SKILL.md, and this is another file.'
  return [{ name, path: file, state: 'one-file', reason, fix }]
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}

/** Writes a path as a word of a shell, from the folder of the project if it is in it. */
function shown(path: string, { folder }: Pick<UnreadContext, 'folder'>): string {
  if (path === folder) return '.'
  const inner = isInside(folder, path) ? relative(folder, path) : path
  return shellWord(inner.startsWith('-') ? `./${inner}` : inner)
}

/** Returns why a SKILL.md was not read, and what to do. */
function whyUnread(found: FoundFile, context: UnreadContext): Why {
  const { project, roots } = context
  const { file, folder } = found
  if (project.config.catalog !== null) {
    const config = basename(context.config)
    const reason = `The catalog of ${config} takes the place of folders.`
    return { state: 'elsewhere', reason, fix: `Leave "catalog" out of ${config}.` }
  }
  if (!/^(?:SKILL|skill)\.md$/.test(basename(file))) {
    const why = /^skill\.md$/i.test(basename(file)) ? 'case matters, and only' : 'only'
    const reason = `The file is named "${basename(file)}": ${why} SKILL.md is read.`
    const fix = `mv ${shown(file, context)} ${shown(join(folder, 'SKILL.md'), context)}`
    return { state: 'misspelt', reason, fix }
  }
  const root = roots.find((one) => isInside(one, folder))
  const outer = ancestors(folder).find((one) => context.scanned.skillFolders.has(one))
  if (outer !== undefined) return whyNested(folder, outer, root, context)
  return root === undefined ? whyNotSearched(folder, context) : whyCut(folder, root, context)
}

function ancestors(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...ancestors(above)]
}

function whyNested(
  folder: string,
  outer: string,
  root: string | undefined,
  context: UnreadContext,
): Why {
  const { project, scanned } = context
  const isBroken = project.items.some(
    ({ path, name, kind }) => kind === 'skill' && name === null && dirname(path) === outer,
  )
  const broken = isBroken ? ', which could not be loaded' : ''
  const reason = `It is inside the skill ${shown(outer, context)}${broken}: it is a file of that skill.`
  const target = join(dirname(outer), basename(folder))
  const isFree = root !== undefined && outer !== root && !scanned.skillFolders.has(target)
  const fix = isFree
    ? `mv ${shown(folder, context)} ${shown(target, context)}`
    : readFix(folder, folder, context)
  return { state: 'nested', reason, fix }
}

function whyCut(folder: string, root: string, context: UnreadContext): Why {
  const { project, isGiven } = context
  const isCut = project.diagnostics.some(({ code, file }) => code === 'scan-cut' && file === root)
  if (!isCut) {
    const reason = 'The configuration of its Carnet project leaves it out.'
    return { state: 'elsewhere', reason, fix: readFix(folder, folder, context) }
  }
  const at = shown(root, context)
  const depth = relative(root, folder).split(sep).length
  const isDeep = depth > resolveOptions({}).limits.maxDepth
  const reason = isDeep
    ? `It is ${depth} levels below ${at}, and fewer are read.`
    : `The search of ${at} ended before it: there are too many folders.`
  const limit = isDeep ? `--max-depth ${depth}` : '--max-folders 200000'
  return { state: 'cut', reason, fix: `loadout skills${isGiven ? ` ${at}` : ''} ${limit}` }
}

/** Returns why a skill is in none of the folders that were read. */
function whyNotSearched(folder: string, context: UnreadContext): Why {
  const { home, root, isGiven, scanned } = context
  const at = (path: string) => shown(path, context)
  const place = clientFolder(folder)
  const plugin = ancestors(folder).find((one) => scanned.plugins.has(one))
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
  const { base, isSearched } = place
  const skills = join(base, place.skills)
  const fix = readFix(skills, folder, context)
  const isAbove = isInside(base, context.folder)
  const isDefault =
    base === context.folder || base === home || (isAbove && root !== null && isInside(root, base))
  const of = 'only those of it and of its parents are searched'
  if (!isSearched) {
    const reason = `${at(skills)} is a folder of another client, and is not searched.`
    return { state: 'other-client', reason, fix }
  }
  if (isDefault && isGiven) {
    return { state: 'elsewhere', reason: 'Only the paths that were given are read.', fix }
  }
  if (isDefault) {
    const reason = 'The configuration leaves out the folders of parents (folders.parents).'
    const on = `Write "folders": { "parents": true } in ${basename(context.config)}.`
    return { state: 'above', reason, fix: on }
  }
  if (isAbove) {
    const reason = `${at(skills)} is above the current folder, and in no repository with it.`
    return { state: 'above', reason, fix }
  }
  const isBelow = isInside(context.folder, base)
  const reason = `${at(skills)} is ${isBelow ? 'below the current folder' : 'of another folder'}: ${of}.`
  return { state: isBelow ? 'below' : 'elsewhere', reason, fix }
}

/** Returns what makes a folder (`place`) read: the project names it, or the home links to the skill in it. */
function readFix(place: string, skill: string, context: UnreadContext): string {
  const { folder, home, isGiven, config } = context
  if (!isGiven && isInside(folder, place)) {
    const inner = relative(folder, place).split(sep).join('/') || '.'
    return `Add ${JSON.stringify(inner)} to "skills" in ${basename(config)}.`
  }
  if (!isGiven && home !== null && clientFolder(skill)?.base === home) {
    const target = join(home, '.agents/skills')
    const link = shellWord(join(target, basename(skill)))
    return `mkdir -p ${shellWord(target)} && ln -s ${shellWord(skill)} ${link}`
  }
  return `loadout skills ${shown(place, context)}`
}

/** Returns the entry of a link that was not followed, or of the skill that is looked for behind it. */
export async function linkEntries(
  { code, file = '', severity }: Diagnostic,
  context: UnreadContext,
): Promise<readonly InventoryEntry[]> {
  const place = clientFolder(file)
  if (severity === 'error' || place === null) return []
  if (code === 'file-not-found' || code === 'link-broken') {
    const reason = 'It is a link that leads to nothing.'
    const fix = `rm ${shown(file, context)}`
    return [{ name: basename(file), path: file, state: 'link-broken', reason, fix }]
  }
  if (code !== 'link-outside') return []
  const isSkill = await exists(join(file, 'SKILL.md'))
  const inner = join(file, context.name ?? '')
  const isInner = !isSkill && inner !== file && (await exists(join(inner, 'SKILL.md')))
  const isEmpty = !isSkill && !isInner && resolve(file) !== join(place.base, place.skills)
  const target = await realpath(file).catch(() => file)
  const but = isEmpty ? ' There is no SKILL.md in it.' : ''
  const reason = `It is a link to ${target}, where links of this folder may not lead, and is not followed.${but}`
  const path = isInner ? inner : file
  const fix = isEmpty ? `rm ${shown(file, context)}` : FOLLOW_LINKS
  return [{ name: basename(path), path, state: 'link-out', reason, fix }]
}
