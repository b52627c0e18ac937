import { dirname, join, resolve } from 'node:path'
import { Option } from 'commander'
import type { ProjectBuild } from '../../project/manifest/build-project.ts'
import { LOCK_FILE, MANIFEST_FILE } from '../../project/manifest/manifest-file.ts'
import type { DefinitionChange } from '../../catalog/definition-change.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { readingOf, readingOptions, type ReadingOptions } from '../opening/build-options.ts'
import { refuseInsideSkill } from './build-write.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { counted } from '../shell/counted.ts'
import { jsonText } from '../shell/json-text.ts'
import type { LockCheck } from './lock-check.ts'
import { writeLockDrift } from './lock-report.ts'
import { lockOf } from '../opening/lock-source.ts'

interface LockCommandOptions extends ReadingOptions {
  readonly out?: string
  readonly check?: true
}

/** `loadout lock`: the digests that a deployment trusts, and whether they still hold. */
export const lockCommand: CliCommand<LockCommandOptions> = {
  name: 'lock',
  summary: 'record the digest of every file, or check that none has changed',
  description:
    'Write the digest and size of every file that skills, tools, toolsets, agents and rules are made ' +
    'of into loadout.lock. With --check nothing is written: what differs from the lock is told, with ' +
    'what it means where the manifest of the locked version stands beside the lock, and the command ' +
    'fails.',
  arguments: '[paths...]',
  options: () => [
    new Option('--check', 'compare with the lock, and fail when something differs'),
    new Option('--out <file>', `the lock; ${LOCK_FILE} by default`),
    ...readingOptions(),
  ],
  examples: [
    'loadout lock examples/workbench --trust',
    'loadout lock examples/workbench --trust --check',
  ],
  async run({ words, options, context }) {
    const { paths, reading } = await readingOf(words, options, context)
    const file = resolve(context.cwd, options.out ?? LOCK_FILE)
    const { lockText } = await import('../../catalog/lock-text.ts')
    if (options.check === true) {
      const { readLockFile } = await import('../../project/lock/read-lock-file.ts')
      const before = await readLockFile(file)
      const { lock, project, missing } = await lockOf(paths, reading, context)
      const { lockDrift } = await import('../../catalog/lock-drift.ts')
      const files = lockDrift(before, lock)
      const ok = files.length === 0 && before.version === lock.version && missing.length === 0
      const definitions = ok
        ? []
        : await meaningOf(join(dirname(file), MANIFEST_FILE), before.version, project.catalog)
      const check: LockCheck = { ok, file, files, definitions, missing }
      if (options.json === true) context.stdout.write(jsonText(check))
      else writeLockDrift(check, context)
      return ok ? 0 : 1
    }
    const { lock, project, missing } = await lockOf(paths, reading, context)
    const [first] = missing
    if (first !== undefined) {
      throw new WorkspaceError('LOCK_INCOMPLETE', `Nothing was locked: ${first.message}`, {
        facts: { missing },
        hint: first.hint,
      })
    }
    refuseInsideSkill(file, project.catalog.skills.values())
    const { replaceFile } = await import('../../project/walk/replace-file.ts')
    const changed = await replaceFile(file, lockText(lock))
    const resources = lock.skills.reduce((sum, skill) => sum + skill.resources.length, 0)
    const files = resources + lock.files.length
    if (options.json === true) context.stdout.write(jsonText({ file, changed, ...lock }))
    else {
      const what = `${counted(lock.skills.length, 'skill')}, ${counted(files, 'file')}`
      context.stdout.write(`${changed ? 'Locked' : 'Locked already'}: ${what}.\n`)
    }
    return 0
  },
}

/** The definitions that are not as they were locked, where it is known how they were. */
async function meaningOf(
  manifestFile: string,
  version: string,
  now: ProjectBuild['project']['catalog'],
): Promise<readonly DefinitionChange[] | null> {
  const { readManifestFile } = await import('../../project/manifest/read-manifest-file.ts')
  const { catalogFromManifest } = await import('../../catalog/manifest/catalog-from-manifest.ts')
  const { diffCatalogs } = await import('../../catalog/diff-catalogs.ts')
  try {
    const manifest = await readManifestFile(manifestFile)
    if (manifest.version !== version) return null
    return diffCatalogs(await catalogFromManifest(manifest), now)
  } catch (error) {
    if (WorkspaceError.is(error)) return null
    throw error
  }
}
