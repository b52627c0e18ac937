import type { Catalog } from '../../create/catalog.ts'
import { checkBudgets, checkDescription } from './check-description.ts'
import { checkCase, checkLinks, checkScripts } from './check-links.ts'
import {
  checkArguments,
  checkPatterns,
  checkPermissions,
  listPatterns,
  namesTool,
  takenPatterns,
} from './check-patterns.ts'
import { checkSharedNames, checkTool } from './check-tool.ts'
import type { ConfusedDefinitions, LintInput, NativeInput } from './lint-input.ts'
import { type LintSkill, lintSkill } from './lint-skill.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { toolDefinition } from '../../../tools/definition/make-tool.ts'
import { isObject } from '../../../kernel/json-value.ts'
import { didYouMean, nearestNames } from '../../../kernel/nearest-names.ts'
import { findHidden, type HiddenCharacter } from '../../../kernel/sanitise-text.ts'
import {
  describePresuppositions,
  presuppositionsOf,
  type WorkspaceMeans,
} from '../../../skills/presuppositions.ts'
import { FILE_START, Findings, type Place } from '../../../skills/parse/findings.ts'

/** Returns the findings of lint itself, in addition to those about the specification and clients. */
export function nativeFindings(
  { catalog, items, skills }: LintInput,
  { tools, texts, variables, permissions, confused, means, counter }: NativeInput,
): readonly Diagnostic[] {
  const names = new Set([...catalog.toolsByHash.values()].map(({ name }) => name))
  const isNamed = namesTool(catalog)
  const topics = new Set(
    [...catalog.toolsByHash.values()].flatMap(({ topic }) => (topic === undefined ? [] : [topic])),
  )
  const withRules = new Set(catalog.rules.keys())
  const files = new Map([
    ...tools.map(({ tool, file }) => [JSON.stringify(['tool', tool.name]), file] as const),
    ...items.map(({ kind, name, path }) => [JSON.stringify([kind, name]), path] as const),
  ])
  // A search also names a tool's owner if another tool has the same name.
  const findFile = ({ kind, name }: { readonly kind: string; readonly name: string }) =>
    files.get(JSON.stringify([kind, name.split('/').at(-1)]))
  const hidden = [...texts].flatMap(([path, text]) => {
    const found = findHidden(text)
    return found.length === 0 ? [] : [{ path, text, found }]
  })
  return [
    ...skills
      .map(lintSkill)
      .flatMap((skill) => [
        ...checkLinks(skill),
        ...checkCase(skill),
        ...checkPresuppositions(skill, means),
        ...checkScripts(skill),
        ...checkBudgets(skill, counter),
        ...checkDescription(skill),
        ...checkPermissions(skill, names, isNamed),
        ...checkPatterns(takenPatterns(skill), isNamed),
      ]),
    ...hidden.flatMap(({ path, text }) => checkHidden(path, text)),
    ...checkHiddenValues(catalog, { tools, variables }, hidden),
    ...tools.flatMap(({ tool, file }) => checkTool(tool, file, names, withRules, counter)),
    ...checkSharedNames(catalog),
    ...checkRules(catalog, topics),
    ...[...[...catalog.agents.values()].flatMap(listPatterns), ...permissions].flatMap((list) =>
      names.size === 0 && catalog.servers === undefined ? [] : checkPatterns(list, isNamed),
    ),
    ...permissions.flatMap((list) => checkArguments(list, catalog)),
    ...checkConfused(confused, findFile),
  ]
}

/** Reports what a skill presupposes, and the parts that neither a tool nor a skill that is defined here gives. */
function checkPresuppositions(
  { skill, file }: LintSkill,
  means: WorkspaceMeans,
): readonly Diagnostic[] {
  const findings = new Findings(file)
  if (skill === null) return []
  const { presupposes, lacks } = describePresuppositions(skill, means)
  if (presupposes.length > 0) {
    const { scripts, references } = presuppositionsOf(skill)
    findings.add(
      'info',
      'skill-presupposes',
      [
        `It presupposes: ${presupposes.join(', ')}.`,
        ...(lacks.length === 0 ? [] : [`Not defined here: ${lacks.join(', ')}.`]),
        ...(scripts.length === 0 ? [] : [`It names its scripts ${listSome(scripts)}.`]),
        ...(references.length === 0 ? [] : [`It names its references ${listSome(references)}.`]),
      ].join(' '),
      'Check that the program that runs it has all of this.',
      FILE_START,
    )
  }
  return findings.list
}

/** Files that a message names. */
const MAX_NAMED = 5

function listSome(paths: readonly string[]): string {
  const rest = paths.length - MAX_NAMED
  return `${paths.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Different characters that are reported for one text. */
const MAX_REPORTED = 5

/**
 * Finds characters of a text that people do not see and models read, each kind once, at its first place.
 * Give `place` for a text that is not a complete file; all findings then have that place.
 */
export function checkHidden(
  file: string,
  text: string,
  what = 'text',
  place?: Place,
): readonly Diagnostic[] {
  const kinds = Map.groupBy(findHidden(text), ({ codePoint }) => codePoint)
  const findings = new Findings(file)
  for (const [codePoint, [first, ...more]] of [...kinds].slice(0, MAX_REPORTED)) {
    if (first === undefined) continue
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
    const times = more.length === 0 ? '' : `, ${more.length + 1} times`
    findings.add(
      'warning',
      'hidden-character',
      `The ${what} contains the hidden character ${name}${times}: models read it, but people do not see it.`,
      'Remove it. It is shown as a mark wherever this project prints it.',
      place ?? placeAt(text, first.index),
    )
  }
  return findings.list
}

/** Members of definitions that a model does not read, or that are checked as files or by themselves. */
const NOT_READ: ReadonlySet<string> = new Set([
  'file',
  'baseDirectory',
  'hash',
  'instructions',
  'tools',
  'toolsets',
])

/**
 * Finds hidden characters in values that the text of a file writes as escapes, such as `\u202e` in
 * JSON and YAML.
 *
 * @param seen what the texts of files have
 */
function checkHiddenValues(
  { skills, shadowedSkills, toolsets, agents, rules, sharedTools }: Catalog,
  { tools, variables }: Pick<NativeInput, 'tools' | 'variables'>,
  seen: readonly { readonly path: string; readonly found: readonly HiddenCharacter[] }[],
): readonly Diagnostic[] {
  const definitions = [
    ...skills.values(),
    ...shadowedSkills,
    ...toolsets.values(),
    ...agents.values(),
    ...rules.values(),
  ].flatMap(({ path, ...one }) => (path === undefined ? [] : [{ file: path, one }]))
  const ofTools = tools.map(({ tool, file }) => ({ file, one: toolDefinition(tool) }))
  const withFile = new Set(tools.map(({ tool }) => tool.hash))
  const described = [...toolsets.values()].flatMap(({ path: file, tools: own }) =>
    own
      .flatMap((tool) => (typeof tool === 'string' ? (sharedTools.get(tool) ?? []) : tool))
      .flatMap((tool) =>
        file === undefined || withFile.has(tool.hash) ? [] : { file, one: toolDefinition(tool) },
      ),
  )
  const ofVariables = Array.from(variables, ([file, one]) => ({ file, one }))
  return [...definitions, ...ofTools, ...described, ...ofVariables].flatMap(({ file, one }) => {
    const members = Object.entries(one).filter(([key]) => !NOT_READ.has(key))
    const hidden = findHidden([...textsIn(Object.fromEntries(members))].join('\n'))
    if (hidden.length === 0) return []
    const folder = file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
    const known = new Set(
      seen
        .filter(({ path }) => path.startsWith(folder))
        .flatMap(({ found }) => found.map(({ codePoint }) => codePoint)),
    )
    const escaped = hidden.filter(({ codePoint }) => !known.has(codePoint))
    const shown = escaped.map(({ codePoint }) => String.fromCodePoint(codePoint)).join('\n')
    return checkHidden(file, shown, 'definition, as an escape,', FILE_START)
  })
}

/** Yields all texts and names of members inside of a value. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item)
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      yield key
      yield* textsIn(member)
    }
  }
}

function placeAt(text: string, index: number): Place {
  const lines = text.slice(0, index).split(/\r\n?|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** Words that are reported for one pair. */
const MAX_WORDS = 6

/** Reports each pair that a search confuses as a finding about its first definition. */
function checkConfused(
  pairs: readonly ConfusedDefinitions[],
  findFile: (one: ConfusedDefinitions['first']) => string | undefined,
): readonly Diagnostic[] {
  return pairs.map(({ first, second, words, phrases }) => {
    const file = findFile(first)
    const other = findFile(second)
    const where = other === undefined || other === file ? '' : ` (${other})`
    const why = [
      words.length > 0 && `both contain ${words.slice(0, MAX_WORDS).join(', ')}`,
      phrases.length > 0 && `"${phrases[0]}" finds the wrong one first`,
    ].filter((reason) => reason !== false)
    return {
      code: 'search-confuses',
      severity: 'warning',
      message: `A search confuses the ${first.kind} "${first.name}" with the ${second.kind} "${second.name}"${where}${why.length === 0 ? '' : `: ${why.join('; ')}`}.`,
      hint: 'Describe the difference in both descriptions, or give each its own phrases.',
      ...(file !== undefined && { file }),
    }
  })
}

/**
 * Checks for rules that are never shown, because no tool has their topic. If no tool has a topic, the
 * rules are for tools that a program adds later, and nothing is reported.
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
      message: `There are rules for the topic "${topic}", but no tool has it: they are never shown.`,
      hint: didYouMean(
        nearestNames(topic, topics, 2),
        'Give the tools this topic, or remove the rules.',
      ),
      ...(path !== undefined && { file: path }),
    }))
}
