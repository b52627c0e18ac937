import { repositoryFiles } from '../pack/repository-files.ts'

/** The parts of `package.json` by which somebody can see where a package comes from. */
export interface PublishSettings {
  readonly version: string
  readonly private?: boolean
  readonly license?: string
  readonly repository?: string | { readonly url: string }
  readonly homepage?: string
  readonly bugs?: string | { readonly url: string }
  readonly publishConfig?: { readonly provenance?: boolean }
}

/** A setting that a release needs, with the command that sets it. */
interface MissingSetting {
  readonly setting: string
  readonly why: string
  readonly command: string
}

/** Returns the settings that `package.json` lacks for a release with provenance. */
export function missingSettings(manifest: PublishSettings): readonly MissingSetting[] {
  const { repository, homepage, bugs, publishConfig, license } = manifest
  const missing: MissingSetting[] = []
  const need = (isThere: boolean, setting: string, why: string, command: string) => {
    if (!isThere) missing.push({ setting, why, command })
  }
  need(
    knowsHost(manifest),
    'repository',
    repository === undefined
      ? 'Provenance names it, and links of the README lead to it.'
      : 'The addresses of its files are not known (scripts/pack/repository-files.ts).',
    'npm pkg set repository.type=git repository.url=git+https://github.com/<owner>/<name>.git',
  )
  need(
    publishConfig?.provenance === true,
    'publishConfig.provenance',
    'npm then signs where the tarball was built. It works in CI with an identity token only.',
    'npm pkg set --json publishConfig.provenance=true',
  )
  need(
    homepage !== undefined,
    'homepage',
    'The registry shows it.',
    'npm pkg set homepage=https://github.com/<owner>/<name>#readme',
  )
  need(
    bugs !== undefined,
    'bugs',
    'The registry shows it.',
    'npm pkg set bugs.url=https://github.com/<owner>/<name>/issues',
  )
  need(
    license !== undefined,
    'license',
    'Nobody may use a package without one.',
    'npm pkg set license=MIT',
  )
  need(
    manifest.private !== true,
    'private',
    'npm publishes no private package.',
    'npm pkg delete private',
  )
  return missing
}

function knowsHost(manifest: PublishSettings): boolean {
  try {
    return repositoryFiles(manifest) !== undefined
  } catch {
    return false
  }
}
