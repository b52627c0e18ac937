import type { ProjectBuild } from '../../project/manifest/build-project.ts'
import type { DefinitionChange } from '../../catalog/definition-change.ts'
import type { FileDrift } from '../../catalog/lock-drift.ts'

/** What `lock --check --json` prints. */
export interface LockCheck {
  readonly ok: boolean
  readonly file: string
  readonly files: readonly FileDrift[]
  /** What the drift means; null when no manifest of the locked version stands beside the lock. */
  readonly definitions: readonly DefinitionChange[] | null
  readonly missing: ProjectBuild['missing']
}
