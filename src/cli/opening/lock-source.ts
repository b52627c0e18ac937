import type { ProjectBuild } from '../../project/manifest/build-project.ts'
import type { ProjectOptions } from '../../project/folders/open-project.ts'
import type { Lock } from '../../catalog/lock.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { whileReading } from '../shell/while-reading.ts'

/** A project with the lock of its files as they are now. */
interface LockSource extends Pick<ProjectBuild, 'project' | 'missing'> {
  readonly lock: Lock
}

/** Read the project at some paths as a build does, and digest its files. */
export async function lockOf(
  paths: readonly string[],
  reading: ProjectOptions,
  context: Pick<CliContext, 'stderr'>,
): Promise<LockSource> {
  const [{ buildReading, missingOf }, { openProject }, { lockProject }, { baseFolder }] =
    await Promise.all([
      import('../../project/manifest/build-project.ts'),
      import('../../project/folders/open-project.ts'),
      import('../../project/lock/lock-project.ts'),
      import('../../project/manifest/base-folder.ts'),
    ])
  const whole = await buildReading(paths, reading)
  const project = await whileReading(context, (onFolder) =>
    openProject(paths, { ...whole, onFolder }),
  )
  const folder = await baseFolder(paths, reading.project ?? process.cwd())
  return {
    project,
    missing: missingOf(project.diagnostics),
    lock: await lockProject(project, folder),
  }
}
