import { dirname, join, resolve } from 'node:path'
import { Option } from 'commander'
import { WorkspaceError } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { DefinitionChange, FileDrift } from '../../../entries/manifest.ts'
import type { SkillUpdate } from '../../project/add/update-skills.ts'
import { readLockedProject, refuseIncomplete, resolveReading } from '../opening/open-catalog.ts'
import { changeLine, driftLine, fieldLines } from '../../report/writers/change-line.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { type ReadingOptions, readingOptions } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { paint } from '../../report/writers/paint.ts'
import type { ProjectBuild } from '../../project/manifest/build-project.ts'
import { LOCK_FILE } from '../../project/config/default-paths.ts'
import { MANIFEST_FILE } from '../../project/manifest/manifest-file.ts'

/** `loadout lock`: record the digests that a deployment trusts, and check them. */
export const lockCommand: CliCommand<
  ReadingOptions & {
    readonly out?: string
    readonly check?: true
    readonly servers?: true
    readonly install?: true
  }
> = {
  name: 'lock',
  summary: 'Record the digests of all files, or check that none has changed',
  description:
    'Write the digest and the size of every file of the skills, tools, toolsets, agents and rules into ' +
    'loadout.lock.\n\n' +
    'With --servers, the command connects to the servers that skills bring, which needs --trust or a trusted folder, and ' +
    'stores their tools. They can then be found, explained and priced without a connection. Without it, stored tools are kept.\n\n' +
    'With --check, nothing is written: the command lists the files that differ from the lock, and the ' +
    'exit code is 1 if there are any. It also lists the changed definitions if the manifest of the ' +
    'locked version is in the same folder as the lock.\n\n' +
    'With --install, nothing is locked: the skills that "loadout add" copied and that are not here, such as after a fresh ' +
    'clone, are copied again from the locked commit. Other bytes than the locked ones are never written. The exit ' +
    'code is 1 if a skill differs from the lock.',
  arguments: '[paths...]',
  options: () => [
    new Option('--check', 'Compare with the lock, and fail if anything differs'),
    new Option('--install', 'Copy the added skills that are not here, from the locked commits'),
    new Option('--servers', 'Connect to the servers of skills, and store their tools'),
    new Option('--out <file>', `Lock file (default: ${LOCK_FILE})`),
    ...readingOptions(),
  ],
  examples: [
    'loadout lock examples/workbench --trust',
    'loadout lock examples/workbench --trust --check',
    'loadout lock --servers --trust',
    'loadout lock --install',
  ],
  async run({ words, options, context }) {
    const file = resolve(context.cwd, options.out ?? LOCK_FILE)
    if (options.install === true) return installLocked(file, options, context)
    const { paths, reading: found } = await resolveReading(words, options, context)
    const reading = { ...found, lock: file }
    const readLocked = () => readLockedProject(paths, reading, context, options.servers)
    const { lockDrift, lockText } = await import('../../../entries/manifest.ts')
    if (options.check === true) {
      const { loadLock } = await import('../../project/lock/lock-project.ts')
      const before = await loadLock(file)
      const { lock, project, missing } = await readLocked()
      const files = lockDrift(before, lock)
      const ok = files.length === 0 && before.version === lock.version && missing.length === 0
      const definitions = ok
        ? []
        : await changedDefinitions(
            join(dirname(file), MANIFEST_FILE),
            before.version,
            project.catalog,
          )
      const check: LockCheck = { ok, file, files, definitions, missing }
      if (options.json === true) context.stdout.write(jsonText(check))
      else writeLockDrift(check, context)
      return ok ? 0 : 1
    }
    const { lock, project, missing } = await readLocked()
    refuseIncomplete(missing)
    const { refuseInsideSkill } = await import('./build/write-build.ts')
    refuseInsideSkill(file, project.catalog.skills.values())
    const { writeOwnFiles } = await import('../../project/trust/write-own-files.ts')
    const { loadLock, keepAdded } = await import('../../project/lock/lock-project.ts')
    const before = await loadLock(file).catch(() => null)
    const texts = new Map([[file, lockText(keepAdded(lock, before))]])
    const changed = await writeOwnFiles(texts, {
      sources: paths.length === 0 ? [context.cwd] : paths,
      store: reading.trustStore,
    })
    const resources = lock.skills.reduce((sum, skill) => sum + skill.resources.length, 0)
    const files = resources + lock.files.length
    if (options.json === true) context.stdout.write(jsonText({ file, changed, ...lock }))
    else {
      const what = `${counted(lock.skills.length, 'skill')}, ${counted(files, 'file')}`
      context.stdout.write(`${changed ? 'Locked' : 'Already locked'}: ${what}.\n`)
    }
    return 0
  },
}

/** Copies the added skills that are not here, from the commits of a lock. */
async function installLocked(
  file: string,
  { json }: ReadingOptions,
  context: CliContext,
): Promise<0 | 1> {
  const [{ updateSkills }, { loadLock }] = await Promise.all([
    import('../../project/add/update-skills.ts'),
    import('../../project/lock/lock-project.ts'),
  ])
  const { added = [] } = await loadLock(file)
  let shown: readonly SkillUpdate[] = []
  const records = await updateSkills(
    added,
    dirname(file),
    async (updates) => {
      shown = updates
      const whole = updates.filter(
        ({ missing, ...other }) => missing.length > 0 && isAsLocked(other),
      )
      return whole.map(({ folder }) => folder)
    },
    'then',
  )
  const installed = records.map(({ name, folder }) => ({ name, folder }))
  const differ = shown.filter((one) => !isAsLocked(one))
  if (json === true) context.stdout.write(jsonText({ file, installed, differ }))
  else {
    const say = (line: string) => context.stdout.write(`${line}\n`)
    for (const { name, folder } of installed) {
      say(paint(`+ skill ${sanitiseLine(name)} -> ${sanitiseLine(folder)}`, 'green', context))
    }
    for (const { name, changedHere, origin } of differ) {
      const why =
        changedHere.length > 0
          ? `it was changed here: ${changedHere.join(', ')}`
          : `${origin} no longer has the locked files`
      say(paint(sanitiseLine(`not installed: skill ${name}: ${why}`), 'red', context))
    }
    const rest = added.length - installed.length - differ.length
    say(
      `${installed.length} installed, ${rest} already here, ${differ.length} different from the lock.`,
    )
  }
  return differ.length === 0 ? 0 : 1
}

function isAsLocked({ changes, changedHere, isGone }: Omit<SkillUpdate, 'missing'>): boolean {
  return changes.length === 0 && changedHere.length === 0 && !isGone
}

/** Compares the definitions with the manifest of the locked version; null without that manifest. */
async function changedDefinitions(
  manifestFile: string,
  version: string,
  now: ProjectBuild['project']['catalog'],
): Promise<readonly DefinitionChange[] | null> {
  const { loadManifest } = await import('../../project/manifest/load-manifest.ts')
  const { catalogFromManifest } = await import('../../../entries/manifest.ts')
  const { diffCatalogs } = await import('../../../entries/manifest.ts')
  try {
    const manifest = await loadManifest(manifestFile)
    if (manifest.version !== version) return null
    return diffCatalogs(await catalogFromManifest(manifest), now)
  } catch (error) {
    if (WorkspaceError.is(error)) return null
    throw error
  }
}

/** The output of `lock --check --json`. */
interface LockCheck {
  readonly ok: boolean
  readonly file: string
  readonly files: readonly FileDrift[]
  /** The changed definitions; null without a manifest of the locked version next to the lock. */
  readonly definitions: readonly DefinitionChange[] | null
  readonly missing: ProjectBuild['missing']
}

/** Writes the files that differ from the lock, and the changed definitions. */
function writeLockDrift(
  { ok, file, files, definitions, missing }: LockCheck,
  context: CliContext,
): void {
  const say = (line: string) => context.stdout.write(`${line}\n`)
  if (ok) {
    say('All files match the lock.')
    return
  }
  for (const { message } of missing) say(paint(sanitiseLine(message), 'red', context))
  for (const drift of files) say(driftLine(drift, context))
  for (const change of definitions ?? []) {
    say(changeLine(change, context))
    for (const line of fieldLines(change.fields, context)) say(line)
  }
  if (definitions === null) {
    say('To list the changed definitions, put the manifest of the locked version next to the lock.')
  }
  if (files.length === 0 && missing.length === 0) {
    say('The files are unchanged, but this version of loadout reads them differently.')
  }
  const count = files.length === 1 ? '1 file differs' : `${files.length} files differ`
  context.stderr.write(`loadout: ${count} from ${sanitiseLine(file)}.\n`)
  context.stderr.write('Review the changes. To accept them, lock again: loadout lock.\n')
}
