import { didYouMean } from '../../../kernel/did-you-mean.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { nearestNames } from '../../../kernel/nearest-names.ts'
import { Findings } from '../../../skills/parse/findings.ts'
import type { LintSkill } from './lint-skill.ts'
import { markdownLinks } from './markdown-links.ts'

/**
 * References of a skill's texts that lead nowhere: a link to a file that is not there, or out of
 * the folder, where a model cannot read.
 */
export function checkLinks(skill: LintSkill): readonly Diagnostic[] {
  const folder = skill.file.slice(0, -(skill.file.split(/[\\/]/).at(-1)?.length ?? 0))
  const texts = [
    { path: '', file: skill.file, text: skill.body, line: skill.bodyLine },
    ...[...skill.texts]
      .filter(([path]) => /\.(?:md|markdown)$/i.test(path))
      .map(([path, text]) => ({ path, file: folder + path, text, line: 1 })),
  ]
  return texts.flatMap(({ path, file, text, line: first }) => {
    const findings = new Findings(file)
    const seen = new Set<string>()
    for (const { target, line, column, kind } of markdownLinks(text)) {
      if (seen.has(target)) continue
      seen.add(target)
      const place = { line: line + first - 1, column }
      // A file of the skill may be meant from its folder, also where another file names it.
      const places = [resolve(parent(path), target), resolve([], target)]
      if (places.some((one) => one !== null && isThere(one, skill.paths))) continue
      if (kind === 'mention') {
        findings.add(
          'info',
          'mention-missing',
          `The text names the file "${target}", which the skill does not have.`,
          nearest(target, skill.paths, 'Add it, if it should be a file of the skill.'),
          place,
        )
      } else if (places[0] === null) {
        findings.add(
          'warning',
          'link-leaves-skill',
          `The link "${target}" leads out of the skill's folder, where it cannot be read.`,
          'Put a copy into the skill, or name the other skill in words.',
          place,
        )
      } else {
        findings.add(
          'warning',
          'link-missing',
          `The link "${target}" leads to no file of the skill.`,
          nearest(target, skill.paths, 'Add the file, or take the link out.'),
          place,
        )
      }
    }
    return findings.list
  })
}

function parent(path: string): readonly string[] {
  return path.split('/').slice(0, -1)
}

/** The path from the skill's folder; null when it leads out of it. */
function resolve(from: readonly string[], target: string): string | null {
  const parts = [...from]
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

function isThere(path: string, paths: ReadonlySet<string>): boolean {
  return path === '' || paths.has(path)
}

/** Files of nearly the same name, wherever they are in the skill. */
function nearest(target: string, paths: ReadonlySet<string>, otherwise: string): string {
  const files = new Map<string, string>()
  for (const path of paths) {
    const name = nameOf(path)
    if (name.includes('.') && !files.has(name)) files.set(name, path)
  }
  const near = nearestNames(nameOf(target), files.keys(), 2)
  return didYouMean(
    near.map((name) => files.get(name) ?? name),
    otherwise,
  )
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? ''
}
