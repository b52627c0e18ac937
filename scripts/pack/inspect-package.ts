import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { PROJECT, projectFiles, runCommand } from '../run-command.ts'
import {
  installTarball,
  NEEDED_PEERS,
  type Packed,
  type PackageManifest,
  tryPackage,
  wrongContents,
} from '../try-package.ts'
import { checkPages } from './check-pages.ts'

/** The bytes that the tarball may have. The limit rises for a new entry only, and falls; the aim is 1.5 MB. */
const MOST_BYTES = 3_305_000

/** The result of an inspection. */
interface Inspection {
  /** The amounts that were looked at. */
  readonly summary: string
  readonly problems: readonly string[]
}

/**
 * Inspects a packed package, and uses it as a user would receive it.
 *
 * @param folder the folder of the tarball
 * @param manifest the `package.json` that was packed
 */
export async function inspectPackage(
  folder: string,
  { tarball, files, bytes }: Packed,
  manifest: PackageManifest,
): Promise<Inspection> {
  const problems = [...wrongContents(files, manifest)]
  if (bytes > MOST_BYTES) {
    problems.push(`The tarball has ${bytes} bytes; the limit is ${MOST_BYTES}.`)
  }

  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
  })
  problems.push(...messages.map((message) => formatMessage(message, pkg) ?? message.code))

  const attw = runCommand('attw', ['--profile', 'esm-only', '--no-emoji', tarball])
  if (!attw.passed) problems.push(attw.output)

  const user = installTarball(tarball, NEEDED_PEERS)
  const pages = checkPages(join(user, 'node_modules', manifest.name), files, {
    files: projectFiles(PROJECT),
    folder: PROJECT,
    manifest,
  })
  const trial = tryPackage(user, manifest, [process.execPath])
  problems.push(...pages.problems, ...trial.problems)

  const looked = [files.length, pages.links, trial.done.length]
  if (looked.includes(0)) problems.push('Nothing was looked at: no files, no links or no uses.')
  return {
    summary:
      `${files.length} files in the tarball of ${bytes} bytes, ${Object.keys(manifest.exports).length} subpaths, ` +
      `${trial.done.length} uses of the installed package, ${pages.summary}`,
    problems,
  }
}
