import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { packProject } from '../../scripts/try-package.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the packed package. */
    readonly tarball: string
  }
}

/** Packs the project once for all tests of this folder. */
export default async function packOnce(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'loadout-packed-'))
  project.provide('tarball', packProject(folder).tarball)
  return () => rm(folder, { recursive: true, force: true })
}
