import { randomUUID } from 'node:crypto'
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import type { AddedSkill } from '../../../entries/manifest.ts'
import { createFiles } from '../walk/create-files.ts'
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
}

export interface Added {
  readonly added: readonly AddedSkill[]
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

/**
 * Copies skills from elsewhere into a project, each into a folder of its name. Nothing that is copied runs. All or
 * nothing: throws `SKILL_EXISTS` before anything is written when the project has a skill of that name.
 */
export async function addSkills(from: string, options: AddOptions): Promise<Added> {
  const { project, to, force, known } = options
  return withSource(from, project, async (source) => {
    const found = await sourceSkills(source)
    const selected = selectSkills(found, options.skills, source.origin)
    for (const { name } of selected) {
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
    return { added, left: found.left }
  })
}

/** Writes a skill into its folder, in place of what is there, and returns its record for the lock. */
export async function copySkill(
  source: SourceFiles,
  skill: SourceSkill,
  { project, folder }: { readonly project: string; readonly folder: string },
): Promise<AddedSkill> {
  const files = await skillBytes(source, skill)
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
