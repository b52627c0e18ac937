import type { LintSkill } from './lint-skill.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { didYouMean, nearestNames } from '../../../kernel/nearest-names.ts'
import { writtenPaths } from '../../../skills/find-skill-file.ts'
import { Findings, placeAt } from '../../../skills/parse/findings.ts'

/**
 * Checks the links in a skill's texts: links to files that do not exist, and links to places outside
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
    const lines = text.split('\n')
    // Texts further inside are material, such as copies of documents, and name files of others.
    const isOwn = /^(?:references\/)?[^/]*$/.test(path)
    for (const { target, line, column, kind } of markdownLinks(text)) {
      if (seen.has(target)) continue
      seen.add(target)
      const place = { line: line + first - 1, column }
      // In a file of a subfolder, a path may also be relative to the skill's folder.
      const places = [resolve(path.split('/').slice(0, -1), target), resolve([], target)]
      if (places.some((one) => one === '' || (one !== null && skill.paths.has(one)))) continue
      if (kind === 'mention') {
        const isElsewhere = skill.pathsAbove.has(target)
        if (!isOwn || isElsewhere || isInExample(lines, line, column)) continue
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
          `The link "${target}" leads out of the skill's folder, where files cannot be read.`,
          'Copy the file into the skill, or mention the other skill without a link.',
          place,
        )
      } else {
        findings.add(
          'warning',
          'link-missing',
          `The link "${target}" leads to no file of the skill.`,
          nearest(target, skill.paths, 'Add the file, or remove the link.'),
          place,
        )
      }
    }
    return findings.list
  })
}

/** Lines before a line that may say that it is of an example. */
const LINES_BEFORE = 8

/** Returns true for a line that an example has: it says so, or one of the lines before it, or the heading above. */
function isInExample(lines: readonly string[], line: number, column: number): boolean {
  const until = [...lines.slice(0, line - 1), (lines[line - 1] ?? '').slice(0, column)]
  const heading = until.findLastIndex((one) => /^#{1,6} /.test(one))
  return until
    .filter((_, at) => at >= line - LINES_BEFORE || at === heading)
    .filter((_, at, all) => at >= all.findLastIndex((one) => /^#{1,6} /.test(one)))
    .some((one) => /\bexamples?\b|\be\.g\./i.test(one))
}

/** Reports paths of the instructions that differ from a file of the skill only in case. */
export function checkCase({ file, body, bodyLine, paths }: LintSkill): readonly Diagnostic[] {
  const findings = new Findings(file)
  const folded = Map.groupBy(paths, (path) => path.toLowerCase())
  const seen = new Set<string>()
  for (const [index, line] of body.split('\n').entries()) {
    for (const { path: written, at } of writtenPaths(line)) {
      const path = resolve([], written)
      if (path === null || paths.has(path) || seen.has(path)) continue
      const [meant, second] = folded.get(path.toLowerCase()) ?? []
      if (meant === undefined || second !== undefined) continue
      seen.add(path)
      findings.add(
        'info',
        'mention-case',
        `The text names "${path}", and the file is "${meant}": only programs that ignore case find it.`,
        'Write the name as the file has it.',
        { line: index + bodyLine, column: at + 1 },
      )
    }
  }
  return findings.list
}

/** A script in a text, also in a command of a code block. */
const SCRIPT = /(?:^|[\s`"'(=])(?:\.\/)?(scripts\/[\w./-]{0,199}\w)/gm

/** Reports a skill whose instructions ask for one of its scripts: a project has nothing that runs them. */
export function checkScripts({ file, body, bodyLine, paths }: LintSkill): readonly Diagnostic[] {
  const findings = new Findings(file)
  for (const { 0: match, 1: path = '', index } of body.matchAll(SCRIPT)) {
    if (!paths.has(path)) continue
    const { line, column } = placeAt(body, index + match.length - path.length)
    findings.add(
      'info',
      'scripts-not-run',
      `The instructions ask for "${path}", and scripts run only where a host has a script runner.`,
      'Give the host one (openScriptRunner of loadout/node), or write a tool for it.',
      { line: line + bodyLine - 1, column },
    )
    break
  }
  return findings.list
}

/** Returns the path relative to the skill's folder; null if it leads out of the folder. */
function resolve(from: readonly string[], target: string): string | null {
  const parts = [...from]
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

/** Suggests files with a similar name, in any folder of the skill. */
function nearest(target: string, paths: ReadonlySet<string>, otherwise: string): string {
  const files = new Map<string, string>()
  for (const path of paths) {
    const name = baseName(path)
    if (name.includes('.') && !files.has(name)) files.set(name, path)
  }
  const near = nearestNames(baseName(target), files.keys(), 2)
  return didYouMean(
    near.map((name) => files.get(name) ?? name),
    otherwise,
  )
}

function baseName(path: string): string {
  return path.split('/').at(-1) ?? ''
}

/** A link of a Markdown text to a file, or a mention of a file in a code span. */
interface MarkdownLink {
  /** The path in the text, decoded and without `#…` and `?…`. */
  readonly target: string
  /** 1-based, in the given text. */
  readonly line: number
  readonly column: number
  readonly kind: 'link' | 'mention'
}

/** Characters. Longer targets are not paths, and reading them would take quadratic time. */
const MAX_TARGET = 300

/** A code span with a file in one of the folders that the specification names. */
const MENTION = /`(?:\.\/)?((?:scripts|references|assets)\/[\w./-]{1,200}\.\w{1,8})`/g

/**
 * Finds the relative links of a Markdown text, and the files of `scripts`, `references` and `assets`
 * that it names in code spans. Fenced code, URLs, anchors and placeholders are skipped.
 */
export function markdownLinks(text: string): readonly MarkdownLink[] {
  const links: MarkdownLink[] = []
  let fence: string | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== null) {
      if (mark.startsWith(fence)) fence = null
      continue
    }
    if (mark !== '') {
      fence = mark
      continue
    }
    if (line.includes('`')) {
      for (const { 1: target = '', index: at } of line.matchAll(MENTION)) {
        links.push({ target, line: index + 1, column: at + 2, kind: 'mention' })
      }
    }
    if (!line.includes(']')) continue
    // Spaces in place of code spans keep the columns.
    const prose = line.replaceAll(/`[^`]*`/g, (span) => ' '.repeat(span.length))
    for (const { written, column } of findTargets(prose)) {
      const target = relativePath(written)
      if (target !== null) links.push({ target, line: index + 1, column, kind: 'link' })
    }
  }
  return links
}

function* findTargets(line: string) {
  for (let at = line.indexOf(']('); at >= 0; at = line.indexOf('](', at + 2)) {
    yield targetAt(line, at + 2)
  }
  const reference = /^ {0,3}\[[^\]]+\]:\s*/.exec(line)?.[0]
  if (reference !== undefined) yield targetAt(line, reference.length)
}

/** A target ends at a space or a bracket; in angle brackets it may contain both. */
function targetAt(line: string, at: number) {
  const isBracketed = line[at] === '<'
  const start = isBracketed ? at + 1 : at
  const end = isBracketed ? '>' : /[\s)]/
  const [written = ''] = line.slice(start, start + MAX_TARGET).split(end, 1)
  return { written, column: start + 1 }
}

/** Returns the relative path of a target; null for a URL, an anchor or a placeholder. */
function relativePath(written: string): string | null {
  const [path = ''] = written.split(/[#?]/, 1)
  if (path === '' || path.length >= MAX_TARGET) return null
  if (/^(?:[a-z][a-z0-9+.-]*:|[\\/])/i.test(path)) return null
  if (/[{}<>$*|]|\.\.\./.test(path)) return null
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
