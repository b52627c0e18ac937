import { dirname, join, resolve } from 'node:path'
import { Option } from 'commander'
import { WorkspaceError } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { DefinitionChange, FileDrift } from '../../../entries/manifest.ts'
import { readLockedProject, refuseIncomplete, resolveReading } from '../opening/open-catalog.ts'
import { changeLine, driftLine, fieldLines } from '../shell/change-line.ts'
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
  ReadingOptions & { readonly out?: string; readonly check?: true; readonly servers?: true }
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
    'locked version is in the same folder as the lock.',
  arguments: '[paths...]',
  options: () => [
    new Option('--check', 'Compare with the lock, and fail if anything differs'),
    new Option('--servers', 'Connect to the servers of skills, and store their tools'),
    new Option('--out <file>', `Lock file (default: ${LOCK_FILE})`),
    ...readingOptions(),
  ],
  examples: [
    'loadout lock examples/workbench --trust',
    'loadout lock examples/workbench --trust --check',
    'loadout lock --servers --trust',
  ],
  async run({ words, options, context }) {
    const file = resolve(context.cwd, options.out ?? LOCK_FILE)
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
    const { refuseInsideSkill } = await import('./write-build.ts')
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
