import { join, relative, resolve, sep } from 'node:path'
import { Option } from 'commander'
import { type Catalog, WorkspaceError } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { AddedSkill, Lock } from '../../../entries/manifest.ts'
import { LOCK_FILE } from '../../project/config/default-paths.ts'
import { readLockedProject, refuseIncomplete, resolveReading } from '../opening/open-catalog.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { repeatable, type ReadingOptions, readingOptions } from '../shell/opening-options.ts'
import { paint } from '../../report/writers/paint.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/** `loadout add`: copy skills from elsewhere into the project. */
export const addCommand: CliCommand<
  ReadingOptions & {
    readonly skill?: readonly string[]
    readonly to: string
    readonly force?: true
  }
> = {
  name: 'add',
  summary: 'Copy skills from a git repository, a folder or an npm package into the project',
  description:
    'Copy skills into the project, and record in loadout.lock where they are from: origin, commit, licence and the ' +
    'digest of every file. Nothing that is copied runs: no scripts of packages, no hooks, no submodules. Links are ' +
    'left out. If the project has a skill of the same name, nothing is copied. Links in texts that lead out of a skill, ' +
    'and skills that it names and that were not copied, are named.\n\n' +
    'The source is a folder, a .tgz file, the address of a git repository (https://…, ssh://…, git@host:path, ' +
    'owner/name on GitHub), with a branch, tag or commit after "#", the address of a folder or a file in a repository, as ' +
    'a browser shows it (https://github.com/owner/name/tree/main/skills), or a package of npm (npm:name@version).',
  arguments: '<source>',
  options: () => [
    repeatable('--skill <name>', 'Copy only this skill (repeatable)'),
    new Option('--to <folder>', 'Folder for the skills').default('.agents/skills'),
    new Option('--force', 'Replace skills of the same name that are in this folder'),
    ...readingOptions(),
  ],
  examples: [
    'loadout add anthropics/skills#main --skill pdf',
    'loadout add npm:@acme/skills@1.2.0',
  ],
  async run({ words: [from = ''], options, context }) {
    const { cwd, stdout } = context
    const to = relative(cwd, resolve(cwd, options.to)).split(sep).join('/')
    if (to === '' || to.startsWith('..')) {
      throw wrongUsage(
        `"${options.to}" is not a folder of the project.`,
        'Give a folder inside the current one, such as .agents/skills.',
      )
    }
    const before = await readProject(options, context)
    const { addedNotes, addSkills } = await import('../../project/add/add-skills.ts')
    const result = await addSkills(from, {
      project: cwd,
      to,
      skills: options.skill ?? [],
      force: options.force === true,
      known: before.known,
      locked: before.lock?.added ?? [],
    })
    const { added, left } = result
    const { file, catalog } = await writeAdded(added, before.lock, options, context)
    const notes = await addedNotes(result, catalog, cwd)
    if (options.json === true) stdout.write(jsonText({ file, added, left, notes }))
    else {
      for (const { name, folder, origin, commit, license, signer, files } of added) {
        const where = `${origin}${commit === undefined ? '' : ` at ${commit.slice(0, 12)}`}`
        const by = signer === undefined ? 'unsigned' : `signed by ${signer}`
        const terms = `${license ?? 'no licence is given'}; ${by}`
        const head = paint(`+ skill ${sanitiseLine(name)}`, 'green', context)
        const facts = sanitiseLine(`${counted(files.length, 'file')}, from ${where}; ${terms}`)
        stdout.write(`${head} -> ${sanitiseLine(folder)}\n    ${facts}\n`)
        for (const { skill, text } of notes) {
          if (skill === name) stdout.write(`    ${paint(sanitiseLine(text), 'yellow', context)}\n`)
        }
      }
      for (const { path, why } of left) {
        stdout.write(`${paint('left out', 'dim', context)} ${sanitiseLine(`${path}: ${why}`)}\n`)
      }
      stdout.write(`${counted(added.length, 'skill')} added, and recorded in ${LOCK_FILE}.\n`)
    }
    return 0
  },
}

/** Reads the lock of the project in the current folder, and the names of its skills with their folders relative to it. */
export async function readProject(
  options: ReadingOptions,
  context: CliContext,
): Promise<{ readonly lock: Lock | null; readonly known: ReadonlyMap<string, string> }> {
  const { loadLock } = await import('../../project/lock/lock-project.ts')
  const { paths, reading } = await resolveReading([], options, context)
  const lock = await loadLock(join(context.cwd, LOCK_FILE)).catch((error: unknown) => {
    if (WorkspaceError.is(error) && error.code === 'PATH_NOT_FOUND') return null
    throw error
  })
  const { project, missing } = await readLockedProject(paths, reading, context)
  refuseIncomplete(missing)
  const { skills, shadowedSkills } = project.catalog
  const folders = [...skills.values(), ...shadowedSkills].flatMap(({ name, baseDirectory }) =>
    baseDirectory === undefined
      ? []
      : [[name, relative(context.cwd, baseDirectory).split(sep).join('/')] as const],
  )
  return { lock, known: new Map(folders) }
}

/** Writes the lock with the records of added skills. What else differs from the lock stays a difference. */
export async function writeAdded(
  added: readonly AddedSkill[],
  before: Lock | null,
  options: ReadingOptions,
  context: CliContext,
): Promise<{ readonly file: string; readonly catalog: Catalog }> {
  const file = join(context.cwd, LOCK_FILE)
  const { paths, reading } = await resolveReading([], options, context)
  const { lock: now, project } = await readLockedProject(paths, reading, context)
  const [{ lockAdded, lockText }, { replaceFile }] = await Promise.all([
    import('../../../entries/manifest.ts'),
    import('../../project/walk/replace-file.ts'),
  ])
  await replaceFile(file, lockText(lockAdded(before, now, added)))
  return { file, catalog: project.catalog }
}
