/** A test of Carnet that fails on purpose. */
interface DeliberateDifference {
  readonly versions: readonly string[]
  /** As `file: name`. */
  readonly test: string
}

const HEADING = "## Carnet's own tests"

/**
 * Reads the deliberate differences from docs/migrating-from-carnet.md: the rows of the table in the section about
 * Carnet's own tests that begin with a version.
 */
export function deliberateDifferences(page: string): readonly DeliberateDifference[] {
  const [, section = ''] = page.split(`\n${HEADING}\n`)
  return [...section.matchAll(/^\| (0\.3\.\d(?:, 0\.3\.\d)*) *\| `([^`]+)`/gm)].map(
    ([, versions = '', test = '']) => ({ versions: versions.split(', '), test }),
  )
}
