import type { Catalog } from '../../create/catalog.ts'
import { checkBudgets, checkDescription } from './check-description.ts'
import { checkLinks } from './check-links.ts'
import {
  checkPatterns,
  checkPermissions,
  checkSharedNames,
  checkTool,
  patternsOf,
} from './check-tool.ts'
import type { ConfusedDefinitions, LintInput, NativeInput } from './lint-input.ts'
import { lintSkill } from './lint-skill.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { didYouMean, nearestNames } from '../../../kernel/nearest-names.ts'
import { findHidden } from '../../../kernel/sanitise-text.ts'
import { Findings, type Place } from '../../../skills/parse/findings.ts'

/** Everything that lint itself finds beside the specification and clients. */
export function nativeFindings(
  { catalog, items, skills }: LintInput,
  { tools, texts, permissions, confused, counter }: NativeInput,
): readonly Diagnostic[] {
  const names = new Set([...catalog.toolsByHash.values()].map(({ name }) => name))
  const topics = new Set(
    [...catalog.toolsByHash.values()].flatMap(({ topic }) => (topic === undefined ? [] : [topic])),
  )
  const surroundings = { tools: names, topics: new Set(catalog.rules.keys()), counter }
  const files = new Map([
    ...tools.map(({ tool, file }) => [JSON.stringify(['tool', tool.name]), file] as const),
    ...items.map(({ kind, name, path }) => [JSON.stringify([kind, name]), path] as const),
  ])
  // A search calls a tool by its owner's name, too, where another one has its own.
  const fileOf = ({ kind, name }: { readonly kind: string; readonly name: string }) =>
    files.get(JSON.stringify([kind, name.split('/').at(-1)]))
  return [
    ...skills
      .map(lintSkill)
      .flatMap((skill) => [
        ...checkLinks(skill),
        ...checkBudgets(skill, counter),
        ...checkDescription(skill),
        ...checkPermissions(skill, names),
      ]),
    ...[...texts].flatMap(([file, text]) => checkHidden(file, text)),
    ...tools.flatMap(({ tool, file }) => checkTool(tool, file, surroundings)),
    ...checkSharedNames(catalog),
    ...checkRules(catalog, topics),
    ...[...[...catalog.agents.values()].flatMap(patternsOf), ...permissions].flatMap((list) =>
      checkPatterns(list, names),
    ),
    ...checkConfused(confused, fileOf),
  ]
}

/** Different characters told of one text. */
const MOST_TOLD = 5

/**
 * Characters of a text that a reader does not see and a model does, each kind once with where it
 * stands first. `place` is where the text begins, or stands as a whole when it is no file.
 */
export function checkHidden(
  file: string,
  text: string,
  what = 'text',
  place?: Place,
): readonly Diagnostic[] {
  const kinds = Map.groupBy(findHidden(text), ({ codePoint }) => codePoint)
  const findings = new Findings(file)
  for (const [codePoint, [first, ...more]] of [...kinds].slice(0, MOST_TOLD)) {
    if (first === undefined) continue
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
    const times = more.length === 0 ? '' : `, ${more.length + 1} times`
    findings.add(
      'warning',
      'hidden-character',
      `The ${what} holds the hidden character ${name}${times}; people do not see what a model reads.`,
      'Remove it. It is shown as a mark wherever this project prints it.',
      place ?? placeAt(text, first.index),
    )
  }
  return findings.list
}

function placeAt(text: string, index: number): Place {
  const lines = text.slice(0, index).split(/\r\n?|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** Words told of one pair. */
const MOST_WORDS = 6

/** Pairs that a search confuses, each told of the first of the two. */
function checkConfused(
  pairs: readonly ConfusedDefinitions[],
  fileOf: (one: ConfusedDefinitions['first']) => string | undefined,
): readonly Diagnostic[] {
  return pairs.map(({ first, second, words, phrases }) => {
    const file = fileOf(first)
    const other = fileOf(second)
    const where = other === undefined || other === file ? '' : ` (${other})`
    const why = [
      words.length > 0 && `both say ${words.slice(0, MOST_WORDS).join(', ')}`,
      phrases.length > 0 && `"${phrases[0]}" finds the wrong one first`,
    ].filter((reason) => reason !== false)
    return {
      code: 'search-confuses',
      severity: 'warning',
      message: `A search hardly tells the ${first.kind} "${first.name}" from the ${second.kind} "${second.name}"${where}${why.length === 0 ? '' : `: ${why.join('; ')}`}.`,
      hint: 'Say in both descriptions what sets them apart, or give each phrases of its own.',
      ...(file !== undefined && { file }),
    }
  })
}

/**
 * Rules that are never told, because no tool has their topic. Where no tool has any, they are for
 * tools that a program brings, and nothing is known of those.
 */
function checkRules(
  { rules }: Pick<Catalog, 'rules'>,
  topics: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (topics.size === 0) return []
  return [...rules.values()]
    .filter(({ topic }) => !topics.has(topic))
    .map(({ topic, path }) => ({
      code: 'rules-unused',
      severity: 'warning',
      message: `There are rules for the topic "${topic}", and no tool has it: they are never told.`,
      hint: didYouMean(
        nearestNames(topic, topics, 2),
        'Give the tools this topic, or remove the rules.',
      ),
      ...(path !== undefined && { file: path }),
    }))
}
