import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { ALL_PEERS, installTarball, packProject } from '../../scripts/try-package.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the packed package. */
    readonly tarball: string
    /** The folder in which it is installed with all peers. */
    readonly packages: string
  }
}

/** Packs the project and installs it, once for all tests of this folder. */
export default async function packOnce(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'loadout-packed-'))
  const { tarball } = packProject(folder)
  project.provide('tarball', tarball)
  project.provide('packages', installTarball(tarball, ALL_PEERS))
  return () => rm(folder, { recursive: true, force: true })
}
