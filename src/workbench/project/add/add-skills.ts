import { randomUUID } from 'node:crypto'
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Catalog, WorkspaceError } from '../../../entries/index.ts'
import { describePresuppositions } from '../../../entries/definitions.ts'
import type { AddedSkill } from '../../../entries/manifest.ts'
import { lintPaths } from '../lint/lint-project.ts'
import { createFiles } from '../walk/create-files.ts'
import { refuseOtherSigner, skillSigner } from './skill-signer.ts'
import { withSource } from './with-source.ts'
import type { SourceFiles } from './source-files.ts'
import {
  isDefinition,
  selectSkills,
  skillBytes,
  type SourceSkill,
  sourceSkills,
} from './source-skills.ts'

interface AddOptions {
  /** The folder of the project. */
  readonly project: string
  /** The folder for the skills, relative to the project, with `/`. */
  readonly to: string
  /** The names of the skills to copy; all when empty. */
  readonly skills: readonly string[]
  /** Replace folders of the same name. */
  readonly force: boolean
  /** The names of the skills that the project has, with their folders relative to it. */
  readonly known: ReadonlyMap<string, string>
  /** The skills that were added before, also those that are not here. */
  readonly locked: readonly AddedSkill[]
}

export interface Added {
  readonly added: readonly AddedSkill[]
  readonly left: readonly { readonly path: string; readonly why: string }[]
  /** The names of all skills that its origin has. */
  readonly offered: readonly string[]
}

/**
 * Copies skills from elsewhere into a project, each into a folder of its name. Nothing that is copied runs. All or
 * nothing: throws `SKILL_EXISTS` before anything is written when the project has a skill of that name.
 */
export async function addSkills(from: string, options: AddOptions): Promise<Added> {
  const { project, to, force, known } = options
  return withSource(from, project, async (source) => {
    const found = await sourceSkills(source)
    const selected = selectSkills(found, options.skills, source)
    for (const skill of selected) {
      const { name } = skill
      const files = await skillBytes(source, skill)
      const before = force ? undefined : options.locked.find((one) => one.name === name)
      if (before === undefined) skillSigner(name, files)
      else refuseOtherSigner(before, from, files)
      const folder = `${to}/${name}`
      const other = known.get(name)
      const isThere = (await lstat(join(project, folder)).catch(() => null)) !== null
      if (other !== undefined && other !== folder) throw skillExists(name, other, false)
      if (isThere && !force) throw skillExists(name, folder, true)
    }
    const added: AddedSkill[] = []
    for (const skill of selected) {
      added.push(await copySkill(source, skill, { project, folder: `${to}/${skill.name}` }))
    }
    const { within = '' } = source
    const left = found.left.filter(({ path }) => within === '' || path.startsWith(`${within}/`))
    return { added, left, offered: found.skills.map(({ name }) => name) }
  })
}

/** Something that a copied skill needs and that was not copied with it. */
export interface AddedNote {
  readonly skill: string
  readonly text: string
}

/**
 * Returns the links of added skills that lead to nothing here, and the skills that they name and that were not added.
 *
 * @param catalog the definitions of the project, with those that were added
 */
export async function addedNotes(
  { added, offered }: Added,
  catalog: Catalog,
  project: string,
): Promise<readonly AddedNote[]> {
  if (added.length === 0) return []
  const folders = added.map(({ folder }) => join(project, folder))
  const { items } = await lintPaths(folders, { project, home: null })
  const links = items.flatMap(({ name, diagnostics }) =>
    diagnostics
      .filter(({ code }) => code === 'link-leaves-skill' || code === 'link-missing')
      .map(({ message }) => ({ skill: name ?? '', text: message })),
  )
  const skills = added.flatMap(({ name }) => {
    const skill = catalog.skills.get(name)
    if (skill === undefined) return []
    const asked = new Set([...offered, ...skill.requires])
    const means = { toolsByHash: catalog.toolsByHash, skills: asked }
    const names = new Set(describePresuppositions(skill, means).presupposes)
    return [...asked]
      .filter((one) => names.has(`skill ${one}`) && !catalog.skills.has(one))
      .map((one) => {
        const how = offered.includes(one)
          ? `Its origin has it: --skill ${one}.`
          : 'Its origin does not have it, either.'
        const text = `It names the skill "${one}", which is not in the project. ${how}`
        return { skill: name, text }
      })
  })
  return [...links, ...skills]
}

/** Writes a skill into its folder, in place of what is there, and returns its record for the lock. */
export async function copySkill(
  source: SourceFiles,
  skill: SourceSkill,
  { project, folder }: { readonly project: string; readonly folder: string },
): Promise<AddedSkill> {
  const files = await skillBytes(source, skill)
  const signer = skillSigner(skill.name, files)
  const target = join(project, folder)
  const before = `${target}.${randomUUID()}`
  const isThere = (await lstat(target).catch(() => null)) !== null
  if (isThere && !(await readdir(target).catch(() => [])).some(isDefinition)) {
    // A lock may come from somebody else, and name any folder.
    const message = `The skill "${skill.name}" was not copied: the folder "${folder}" is no skill.`
    throw new WorkspaceError('FOLDER_NOT_A_SKILL', message, {
      facts: { skill: skill.name, folder },
      hint: `Move "${folder}" away, or correct loadout.lock.`,
    })
  }
  if (isThere) await rename(target, before)
  try {
    const paths = new Map(files.map(({ path, content }) => [`${folder}/${path}`, content]))
    await createFiles(project, paths)
    for (const { path, executable } of files) if (executable) await chmod(join(target, path), 0o755)
  } catch (error) {
    await rm(target, { recursive: true, force: true })
    if (isThere) await rename(before, target)
    throw error
  }
  await rm(before, { recursive: true, force: true })
  const { origin, ref, commit } = source
  return {
    name: skill.name,
    folder,
    origin,
    path: skill.folder,
    ...(ref !== undefined && { ref }),
    ...(commit !== undefined && { commit }),
    license: skill.license,
    ...(signer !== undefined && { signer }),
    files: files.map(({ path, digest, size }) => ({ path, digest, size })),
  }
}

function skillExists(name: string, folder: string, canForce: boolean): WorkspaceError {
  return new WorkspaceError('SKILL_EXISTS', `Nothing was added: there is a skill at "${folder}".`, {
    facts: { skill: name, folder },
    hint: canForce
      ? 'Choose other skills with --skill, or replace it with --force.'
      : `Choose other skills with --skill, or remove "${folder}" first.`,
  })
}
