import { join, relative, sep } from 'node:path'
import { type ContentHash, contentHash, textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { comparePaths } from '../walk/compare-paths.ts'
import { FILES_AT_ONCE, mapBounded } from '../walk/map-bounded.ts'
import { DEFAULT_LIMITS } from '../walk/load-options.ts'
import { readInside } from '../walk/read-inside.ts'
import { walkFolders } from '../walk/walk-folders.ts'

/** Endings of what an import can run or be steered by, and of scripts. */
const EXECUTABLE =
  /\.(?:[cm]?[jt]sx?|json|node|wasm|sh|bash|zsh|fish|py[cdw]?|rb|pl|pm|php|lua|ps1|r|awk|so)$/i

/** The folder of a skill's scripts, which load what they like from it. */
const SCRIPTS = 'scripts'

const MAX_BYTES = 64 * 1024 * 1024

/** The files of a folder that importing from it may run, by path, with their digests. */
interface TrustDigest {
  readonly digest: ContentHash
  readonly files: ReadonlyMap<string, ContentHash>
}

/**
 * Digest every file below a folder (its real path) that an import could reach, or a script is: all
 * JavaScript, TypeScript, JSON and binary modules, scripts of any language, and everything below a folder
 * `scripts`, through links too, but for `node_modules`. What a module
 * imports from outside the folder is not covered. Throws `TRUST_TOO_LARGE` for a folder too big
 * to look at as a whole.
 */
export async function trustDigest(folder: string): Promise<TrustDigest> {
  const walk = await walkFolders(
    folder,
    {
      limits: { ...DEFAULT_LIMITS, maxDepth: 24, maxFolders: 20_000 },
      followLinksOut: true,
    },
    () => true,
  )
  if (walk.diagnostics.some(({ code }) => code === 'scan-cut')) throw tooLarge(folder)
  const isScripts = (path: string) => relative(folder, path).split(sep).includes(SCRIPTS)
  const paths = walk.folders.flatMap((inner) =>
    inner.entries
      .filter((entry) => !entry.isDirectory())
      .filter((entry) => EXECUTABLE.test(entry.name) || isScripts(inner.path))
      .map((entry) => join(inner.path, entry.name)),
  )
  const digests = await mapBounded(paths.sort(comparePaths), FILES_AT_ONCE, async (path) => {
    const outcome = await readInside(folder, path, { maxBytes: MAX_BYTES, followLinksOut: true })
    const hash = outcome.ok ? textHash(outcome.bytes) : textHash(outcome.fault.code)
    return [relative(folder, path).replaceAll('\\', '/'), hash] as const
  })
  return { digest: contentHash(digests), files: new Map(digests) }
}

function tooLarge(folder: string): WorkspaceError {
  return new WorkspaceError('TRUST_TOO_LARGE', `"${folder}" holds too many folders to trust.`, {
    facts: { folder },
    hint: 'Trust the folder that holds the skills or the configuration itself.',
  })
}
