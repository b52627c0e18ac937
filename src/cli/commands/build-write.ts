import { dirname, join } from 'node:path'
import type { ProjectBuild } from '../../project/manifest/build-project.ts'
import { PROVENANCE_FILE } from '../../project/manifest/manifest-file.ts'
import { isInside } from '../../project/walk/is-inside.ts'
import type { DefinitionChange } from '../../catalog/definition-change.ts'
import type { Manifest } from '../../catalog/manifest/manifest.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { BuildCommandOptions } from '../opening/build-options.ts'
import { type BuildReport, buildReport } from './build-report.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/** Write a build's files unless something is missing; what it says of itself and of what changed. */
export async function writeBuild(
  build: ProjectBuild,
  file: string,
  before: Manifest | null,
  { partial }: BuildCommandOptions,
): Promise<BuildReport> {
  const { manifest, folder, missing, project } = build
  refuseInsideSkill(file, project.catalog.skills.values())
  const changes = before === null ? null : await changesBetween(before, manifest)
  if (missing.length > 0 && partial !== true) return buildReport(build, null, changes)
  const { replaceFile } = await import('../../project/walk/replace-file.ts')
  const { provenanceOf } = await import('../../project/manifest/provenance.ts')
  const { manifestText } = await import('../../catalog/manifest/manifest-text.ts')
  const beside = join(dirname(file), PROVENANCE_FILE)
  const isNew = await replaceFile(file, manifestText(manifest))
  if (isNew || !(await tellsOf(beside, manifest))) {
    const provenance = await provenanceOf(manifest, folder)
    await replaceFile(beside, `${JSON.stringify(provenance, null, 2)}\n`)
  }
  return buildReport(build, file, changes)
}

/** Whether a provenance file is that of this very manifest. */
async function tellsOf(file: string, { digest }: Manifest): Promise<boolean> {
  const { readNamedFile } = await import('../../project/walk/read-named-file.ts')
  const read = await readNamedFile(file)
  return read.ok && read.text.includes(JSON.stringify(digest))
}

export function nothingWritten({ missing }: BuildReport): string {
  const what = missing.length === 1 ? '1 thing is' : `${missing.length} things are`
  return `loadout: nothing was written, since ${what} missing from the build; --partial writes the rest.\n`
}

/** Null when the manifest of before is not what it was built as: there is nothing to compare then. */
async function changesBetween(
  before: Manifest,
  after: Manifest,
): Promise<readonly DefinitionChange[] | null> {
  const { catalogFromManifest } = await import('../../catalog/manifest/catalog-from-manifest.ts')
  const { diffCatalogs } = await import('../../catalog/diff-catalogs.ts')
  if (before.version === after.version) return []
  try {
    const old = await catalogFromManifest(before)
    return diffCatalogs(old, await catalogFromManifest(after, { verify: false }))
  } catch (error) {
    if (WorkspaceError.is(error) && error.code.startsWith('MANIFEST_')) return null
    throw error
  }
}

/** What is written there would be a file of the skill, and change it. */
export function refuseInsideSkill(
  file: string,
  skills: Iterable<{ readonly name: string; readonly path?: string }>,
): void {
  for (const { name, path } of skills) {
    if (path === undefined || !isInside(dirname(path), file)) continue
    throw wrongUsage(
      `"${file}" would be a file of the skill "${name}".`,
      'Write it outside of the folder of any skill: --out <file>.',
    )
  }
}
