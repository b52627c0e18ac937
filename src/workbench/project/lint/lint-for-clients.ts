import { realpath } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import type { ClientListing } from '../../../connections/clients/list-as-client.ts'
import type { Diagnostic } from '../../../entries/index.ts'
import type { LintedItem, LintReport } from '../../../entries/definitions.ts'
import { isInside } from '../walk/is-inside.ts'

/**
 * Replaces the findings about clients in general by what these clients make of each skill: one that is dropped, cut, shown
 * by its name alone, or replaced by another of its name.
 *
 * @param project the folder that the clients are started in; skills in it that were not linted are added
 */
export async function lintForClients(
  report: LintReport,
  listings: readonly ClientListing[],
  project: string,
): Promise<LintReport> {
  const folder = await realPath(project)
  const findings = new Map<string, Diagnostic[]>()
  for (const listing of listings) {
    for (const { path, text, line } of problems(listing)) {
      const real = await realPath(path)
      const place = line === null ? {} : { line, column: 1 }
      const hint = `See what it lists: loadout skills --as ${listing.client}.`
      const finding = {
        code: 'client-list',
        severity: 'warning' as const,
        message: text,
        hint,
        ...place,
      }
      findings.set(real, [...(findings.get(real) ?? []), finding])
    }
  }
  const items = await Promise.all(
    report.items.map(async (item): Promise<LintedItem> => {
      const real = await realPath(item.path)
      const found = item.kind === 'skill' ? (findings.get(real) ?? []) : []
      const own = item.diagnostics.filter(({ code }) => !code.startsWith('portable-'))
      const diagnostics = [...own, ...found.map((one) => ({ ...one, file: item.path }))]
      const isFound = found.length > 0 && item.status === 'ok'
      return { ...item, diagnostics, ...(isFound && { status: 'warning' as const }) }
    }),
  )
  const known = new Set(await Promise.all(report.items.map(({ path }) => realPath(path))))
  const others = [...findings].flatMap(([path, found]): readonly LintedItem[] =>
    known.has(path) || !isInside(folder, path)
      ? []
      : [
          {
            kind: 'skill',
            path,
            name: null,
            status: 'warning',
            diagnostics: found.map((one) => ({ ...one, file: path })),
          },
        ],
  )
  const all = [...items, ...others]
  return { ...report, checked: report.checked + others.length, items: all }
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

function problems({ title, version, skills, unlisted }: ClientListing) {
  const client = `${title} ${version}`
  return [
    ...unlisted
      .filter(({ outcome }) => outcome !== 'hidden')
      .map(({ path, reason, line }) => ({
        path,
        text: `${client} does not list the skill: ${reason}.`,
        line: line ?? null,
      })),
    ...skills
      .filter(({ builtIn, outcome, reason }) => !builtIn && outcome !== 'listed' && reason !== '')
      .map(({ path, outcome, reason, line }) => ({
        path: path ?? '',
        text: `${client} ${outcome === 'cut' ? 'cuts the description' : 'lists the name alone'}: ${reason}.`,
        line,
      })),
  ]
}

/** Returns the folder that a client would be started in for a folder of skills: the one that has the dotted folder. */
export function startingFolder(path: string): string {
  const parts = path.split(sep)
  const at = parts.findIndex((part) => /^\.(?:claude|agents|codex|opencode|pi)$/.test(part))
  return at <= 0 ? path : dirname(parts.slice(0, at + 1).join(sep))
}
