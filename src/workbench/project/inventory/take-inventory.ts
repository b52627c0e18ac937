import { readdir, realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { configName } from '../config/load-config.ts'
import type { Project, ProjectOptions } from '../folders/open-project.ts'
import { findRepository } from '../walk/link-reach.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { userHome } from '../walk/user-home.ts'
import type { InventoryEntry } from './inventory-entry.ts'
import { scanPlaces } from './scan-places.ts'
import {
  FOLLOW_LINKS,
  linkEntries,
  skillNameIn,
  unreadEntries,
  type UnreadContext,
} from './unread-entries.ts'

/** The skills of a project on disk, by path. */
export interface Inventory {
  readonly entries: readonly InventoryEntry[]
  /** The parts of the disk that were not looked at, in words. */
  readonly limits: readonly string[]
}

/**
 * Lists the skills of a project on disk, read or not, with the reason for each that is not, and what to do. Runs no code,
 * and reads nothing that a link out of the scanned places leads to.
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
  const ofUser = given === undefined ? userHome() : given
  const folder = await realPath(current)
  const home = ofUser === null ? null : await realPath(ofUser)
  const { root } = await findRepository(folder, home)
  const roots = await Promise.all(project.roots.map(realPath))
  const scanned = await scanPlaces({ folder, root, home, roots })
  const read = await readEntries(project)
  const known = new Set(read.flatMap(({ file, entry }) => [file, entry.path]))
  const config = project.config.file ?? (await configName(folder)) ?? 'loadout.config.json'
  const names = new Set(await readdir(folder).catch((): string[] => []))
  const context: UnreadContext = {
    project,
    folder,
    home,
    root,
    roots,
    scanned,
    name,
    isGiven: paths.length > 0,
    config: resolve(folder, config),
    imported: freeName('imported', names),
  }
  const unread = await mapBounded(
    scanned.files.filter(({ file }) => !known.has(file)),
    FILES_AT_ONCE,
    (one) => unreadEntries(one, context),
  )
  const links = await mapBounded(
    [...scanned.diagnostics, ...project.diagnostics],
    FILES_AT_ONCE,
    (one) => linkEntries(one, context),
  )
  const all = [...read.map(({ entry }) => entry), ...unread.flat(), ...links.flat()]
  return {
    entries: [...new Map(all.map((one) => [one.path, one])).values()],
    limits: scanned.diagnostics
      .filter(({ code }) => code === 'scan-cut')
      .map(({ file = '', message }) => `${file}: ${message}`),
  }
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let at = 2; taken.has(free); at += 1) free = `${name}-${at}`
  return free
}

/** Returns the skills that were found where skills are read, with the real path of each file. */
async function readEntries({ catalog, items, diagnostics }: Project) {
  const shadowed = new Set(catalog.shadowedSkills)
  const skills = [...catalog.skills.values(), ...shadowed].flatMap((skill) =>
    skill.path === undefined ? [] : [{ skill, path: skill.path }],
  )
  const read = await mapBounded(skills, FILES_AT_ONCE, async ({ skill, path }) => {
    const file = await realPath(path)
    const { name, hash } = skill
    if (shadowed.has(skill)) {
      const first = catalog.skills.get(name)
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
    const fix = error?.code === 'link-outside' ? FOLLOW_LINKS : (error?.hint ?? '')
    const name = await skillNameIn(path, dirname(path))
    const entry = { name, path, state: 'broken', reason, fix } as const
    return { file: await realPath(path), entry }
  })
  return [...read, ...faults]
}
