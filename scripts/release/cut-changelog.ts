import { compare, valid } from 'semver'

/** A version in the changelog. */
interface Section {
  readonly version: string
  /** Such as `2026-11-24`. */
  readonly date: string
}

const HEADING = /^## (.*)$/gm

const DATED = /^(?<version>\S+) - (?<date>\d{4}-\d\d-\d\d)$/

/**
 * Returns the dated versions of a changelog, newest first.
 *
 * @throws when it does not begin with "Unreleased", a heading has another form, or a version is not below the one before it
 */
export function datedSections(changelog: string): readonly Section[] {
  const [first, ...headings] = [...changelog.matchAll(HEADING)].map(([, heading = '']) => heading)
  if (first !== 'Unreleased') {
    throw new Error(
      'CHANGELOG.md has no "## Unreleased" as its first section. Add it, with the changes below it.',
    )
  }
  const sections = headings.map((heading) => {
    const { version = '', date = '' } = DATED.exec(heading)?.groups ?? {}
    if (valid(version) === null || Number.isNaN(Date.parse(date))) {
      throw new Error(
        `CHANGELOG.md: "## ${heading}" is no version with its date. Write "## 1.2.3 - 2026-11-24".`,
      )
    }
    return { version, date }
  })
  for (const [index, { version, date }] of sections.entries()) {
    const newer = sections[index - 1]
    if (newer !== undefined && (compare(newer.version, version) <= 0 || newer.date < date)) {
      throw new Error(`CHANGELOG.md: ${newer.version} is above ${version}, but is not newer.`)
    }
  }
  return sections
}

/** Returns the changes that no version has. */
export function unreleasedChanges(changelog: string): string {
  return /^## Unreleased$([^]*?)(?=^## |(?![^]))/m.exec(changelog)?.[1]?.trim() ?? ''
}

/**
 * Returns a changelog in which the changes under "Unreleased" are those of a version.
 *
 * @throws when there are none, or when the version is not above all others
 */
export function cutChangelog(changelog: string, { version, date }: Section): string {
  const [newest] = datedSections(changelog)
  if (newest !== undefined && compare(version, newest.version) <= 0) {
    throw new Error(
      `CHANGELOG.md has ${newest.version} already, so the next version cannot be ${version}.`,
    )
  }
  if (!/^- /m.test(unreleasedChanges(changelog))) {
    throw new Error(
      'CHANGELOG.md has no change under "## Unreleased". There is nothing to release.',
    )
  }
  return changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} - ${date}`)
}
