import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectPackage } from './pack/inspect-package.ts'
import { packProject, readManifest } from './try-package.ts'

/** Packs the library, and inspects the package. */
using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-package-'))

const { summary, problems } = await inspectPackage(
  folder.path,
  packProject(folder.path),
  readManifest(),
)

for (const problem of problems) console.error(problem)

console.log(summary)

if (problems.length > 0) process.exitCode = 1
