import { parseArgs } from 'node:util'
import { compare, inc, prerelease, valid } from 'semver'

/** The order to make a release. */
export interface ReleaseOrder {
  readonly version: string
  /** The name under which npm offers the version: `latest`, or that of a pre-release, such as `alpha`. */
  readonly distTag: string
  readonly isDry: boolean
  readonly skipsGates: boolean
}

const STEPS = ['major', 'minor', 'patch', 'prerelease'] as const

export const USAGE = `Usage: npm run release -- [version | ${STEPS.join(' | ')}] [--dry-run] [--skip-gates] [--tag <name>]

Without a version it is that of package.json, as long as the changelog does not have it.
  --dry-run     change nothing: say what would be published
  --skip-gates  do not check, to try it quickly
  --tag <name>  the dist-tag, if not "latest" or the name of the pre-release`

/**
 * Reads the arguments of the command.
 *
 * @param current the version of `package.json`
 * @param newest the newest version in the changelog
 *
 * @throws with what is wrong, and what to write
 */
export function readArguments(
  args: readonly string[],
  current: string,
  newest: string | undefined,
): ReleaseOrder {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      'skip-gates': { type: 'boolean', default: false },
      tag: { type: 'string' },
    },
  })
  const [given, ...others] = positionals
  if (others.length > 0) throw new Error(`Name one version, not ${positionals.length}.`)
  const version = wantedVersion(given, current, newest)
  const [name] = prerelease(version) ?? []
  const distTag = values.tag ?? (name === undefined ? 'latest' : String(name))
  if (valid(distTag) !== null || !/^[a-z][a-z\d-]*$/.test(distTag)) {
    throw new Error(`"${distTag}" cannot be a dist-tag. Write a word, such as --tag next.`)
  }
  if (name !== undefined && distTag === 'latest') {
    throw new Error(
      `${version} is a pre-release: as "latest" everybody would get it. Leave --tag out.`,
    )
  }
  return { version, distTag, isDry: values['dry-run'], skipsGates: values['skip-gates'] }
}

function wantedVersion(
  given: string | undefined,
  current: string,
  newest: string | undefined,
): string {
  const step = STEPS.find((one) => one === given)
  if (step !== undefined) return inc(newest ?? current, step) ?? current
  const isDone = newest !== undefined && compare(current, newest) <= 0
  if (given === undefined && isDone) {
    throw new Error(
      `${newest} is in the changelog already. Name the next version, such as "minor".`,
    )
  }
  const version = given ?? current
  if (valid(version) !== version) {
    throw new Error(`"${version}" is no version. Write one such as 1.2.3, or ${STEPS.join(', ')}.`)
  }
  if (newest !== undefined && compare(version, newest) <= 0) {
    throw new Error(`${version} is not above ${newest}, the newest version of the changelog.`)
  }
  return version
}
