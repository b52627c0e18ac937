import { checkLookAlikes } from '../create/check-look-alikes.ts'
import { checkClients } from './checks/client-rules.ts'
import type { LintedItem, LintInput, LintItem } from './checks/lint-input.ts'
import { lintSkill } from './checks/lint-skill.ts'
import { nativeFindings } from './checks/native-findings.ts'
import type { LintLevel } from './codes/diagnostic-group.ts'
import { isReported } from './diagnostic-groups.ts'
import type { Diagnostic, Severity } from '../../kernel/diagnostic.ts'
import { byName } from '../../kernel/nearest-names.ts'
import { checkSpecification } from '../../skills/parse/check-specification.ts'

/** The result of lint. */
export interface LintReport {
  /** True if no item has the status `error`. */
  readonly ok: boolean
  /** The number of definitions that were checked. */
  readonly checked: number
  readonly level: LintLevel
  readonly items: readonly LintedItem[]
  /** Sentences that say what was only checked in part, because there is too much of it. */
  readonly limits: readonly string[]
}

/**
 * Checks everything that was read, at one level.
 *
 * At `spec`, an error is something that the specification's reference validator refuses, or that it
 * could not read. At higher levels, reading is lenient: an error is something that was not loaded, and
 * what the validator refuses is a warning. The specification and clients only know skills, so nothing
 * else is checked below `native`.
 */
export function lintCatalog(input: LintInput): LintReport {
  const { level, items, root, native } = input
  const specification = input.skills.flatMap(({ text, file, folder }) =>
    text === null ? [] : checkSpecification({ text, file, folder }),
  )
  const findings = [
    ...locateNameFindings(input.diagnostics, items),
    ...specification.map((one) =>
      level === 'spec' ? one : { ...one, severity: 'warning' as const },
    ),
    ...(level === 'spec' ? [] : input.skills.map(lintSkill).flatMap(checkClients)),
    ...(native === null ? [] : nativeFindings(input, native)),
  ].filter(({ code }) => isReported(code, level))
  // Below `native`, only skills with a SKILL.md are checked. A skill of a manifest has no such file.
  const linted = assignFindings(items, dedupeFindings(findings), root).filter(
    ({ kind, path }) =>
      level === 'native' ||
      kind === 'folder' ||
      (kind === 'skill' && /[\\/]skill\.md$/i.test(path)),
  )
  return {
    ok: linted.every(({ status }) => status !== 'error'),
    checked: linted.filter(({ kind }) => kind !== 'folder').length,
    level,
    items: linted,
    limits: native?.limits ?? [],
  }
}

/**
 * Adds files to the findings of a catalog about names and tools: to confusable names the file of the later
 * one, to shared tools of the same name the files of all of them, to a pattern the file of its tool.
 */
function locateNameFindings(
  findings: readonly Diagnostic[],
  items: readonly LintItem[],
): readonly Diagnostic[] {
  const alike = (['skill', 'tool', 'toolset', 'agent'] as const).flatMap((kind) => {
    const files = new Map(
      items.flatMap((item) =>
        item.kind === kind && item.name !== null ? [[item.name, item.path] as const] : [],
      ),
    )
    return checkLookAlikes(kind, [...files.keys()].sort(), (name) => files.get(name))
  })
  const located = new Set(alike.map(({ message }) => message))
  const rest = findings.flatMap((one): readonly Diagnostic[] => {
    const { code, message } = one
    if (code === 'look-alike-name') return located.has(message) ? [] : [one]
    if (code !== 'pattern-unchecked' && code !== 'duplicate-tool') return [one]
    const files = items
      .filter(({ kind, name }) => kind === 'tool' && message.includes(`"${name}"`))
      .map(({ path }) => path)
    const file = files.at(code === 'duplicate-tool' ? -1 : 0)
    if (file === undefined) return [one]
    if (code === 'pattern-unchecked') return [{ ...one, file }]
    return [{ ...one, message: `${message} They are in ${files.join(' and ')}.`, file }]
  })
  return [...rest, ...alike]
}

/** Codes that repeat another finding about the same line, with the codes that replace them. */
const REPEATS: Readonly<Record<string, readonly string[]>> = {
  'allowed-tools-form': ['spec-yaml'],
  'spec-compatibility-kind': ['field-kind'],
  'spec-compatibility-length': ['compatibility-too-long'],
  'spec-description-length': ['description-too-long'],
  'spec-description-missing': ['description-missing'],
  'spec-front-matter': ['front-matter-missing', 'front-matter-unclosed', 'front-matter-engine'],
  'spec-name-folder': ['name-mismatch'],
  'spec-name-missing': ['name-missing'],
  'spec-unknown-field': ['unknown-field', 'field-not-portable', 'portable-client-field'],
  'spec-yaml': [
    'metadata-not-text',
    'portable-dropped',
    'tab-indentation',
    'unknown-field',
    'unquoted-colon',
    'unquoted-value',
    'yaml-tag',
  ],
  'unknown-field': ['portable-client-field'],
}

/**
 * Removes repeated findings: the readers and the rules of levels find the same mistakes. Of two such
 * findings, the one that says more about the consequences is kept.
 */
function dedupeFindings(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const unique = new Map(findings.map((one) => [JSON.stringify(one), one]))
  const key = (code: string, { file = '', line = 0 }: Diagnostic) =>
    JSON.stringify([code, file, line])
  const keys = new Set([...unique.values()].map((one) => key(one.code, one)))
  // A finding about several fields has the place of the first.
  const fields = new Set(
    findings.flatMap(({ code, file = '', message }) =>
      code === 'unknown-field' ? quoted(message).map((name) => JSON.stringify([file, name])) : [],
    ),
  )
  const isField = ({ code, file = '', message }: Diagnostic) =>
    code === 'spec-unknown-field' && fields.has(JSON.stringify([file, quoted(message)[0]]))
  const unread = new Set(
    findings.flatMap(({ code, file }) => (code === 'yaml-invalid' ? [file] : [])),
  )
  return [...unique.values()].filter(
    (one) =>
      !(
        Object.hasOwn(REPEATS, one.code) &&
        REPEATS[one.code]?.some((code) => keys.has(key(code, one)))
      ) &&
      !isField(one) &&
      // The parts of one mistake may be on several lines.
      !(one.code === 'spec-yaml' && unread.has(one.file)),
  )
}

/** Files that represent their folder: findings inside the folder are findings about them. */
const FOLDER_FILE = /^(?:SKILL\.md|skill\.md|AGENT\.md|TOOLSET\.md|TOOL\.md|schema\.json)$/

const ORDER: readonly Severity[] = ['error', 'warning', 'info']

/**
 * Assigns findings to items: to the item of their file, or else to the item of their folder. For any
 * other finding an item is added, for its file or for `root`, so that no finding is lost.
 */
export function assignFindings(
  items: readonly LintItem[],
  findings: readonly Diagnostic[],
  root: string,
): readonly LintedItem[] {
  const byFile = new Map<string, Map<string | null, LintItem>>()
  const byFolder = new Map<string, LintItem>()
  for (const item of items) {
    const inFile = byFile.get(item.path) ?? new Map<string | null, LintItem>()
    byFile.set(item.path, inFile)
    if (!inFile.has(item.name)) inFile.set(item.name, item)
    const { folder, name } = split(item.path)
    if (FOLDER_FILE.test(name) && !byFolder.has(folder)) byFolder.set(folder, item)
  }
  const found = new Map<LintItem, Diagnostic[]>(items.map((item) => [item, []]))
  const others = new Map<string, Diagnostic[]>()
  for (const one of findings) {
    const item = findItem(one, byFile, byFolder)
    if (item !== undefined) found.get(item)?.push(one)
    else {
      const path = one.file ?? root
      const about = others.get(path)
      if (about === undefined) others.set(path, [one])
      else about.push(one)
    }
  }
  return [
    ...Array.from(found, ([item, about]) => linted(item, about)),
    ...Array.from(others, ([path, about]) => linted({ kind: 'folder', path, name: null }, about)),
  ]
}

function findItem(
  { file, message }: Diagnostic,
  byFile: ReadonlyMap<string, ReadonlyMap<string | null, LintItem>>,
  byFolder: ReadonlyMap<string, LintItem>,
): LintItem | undefined {
  if (file === undefined) return undefined
  const inFile = byFile.get(file)
  if (inFile !== undefined) {
    // A file may contain many definitions. The finding quotes the name of one.
    for (const name of quoted(message)) {
      const named = inFile.get(name)
      if (named !== undefined) return named
    }
    const [first] = inFile.values()
    return first
  }
  for (let folder = file; folder !== ''; folder = split(folder).folder) {
    const item = byFolder.get(folder)
    if (item !== undefined) return item
  }
  return undefined
}

/** Returns the names in quotes in a message. */
function quoted(message: string): readonly string[] {
  return Array.from(message.matchAll(/"([^"]+)"/g), ([, name = '']) => name)
}

function linted(item: LintItem, about: readonly Diagnostic[]): LintedItem {
  const diagnostics = about.toSorted(
    (a, b) =>
      byName(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) ||
      byName(a.code, b.code),
  )
  // Findings of severity `info` do not change the status of an item.
  const severities = new Set(about.map(({ severity }) => severity))
  const status = severities.has('error') ? 'error' : severities.has('warning') ? 'warning' : 'ok'
  return { ...item, status, diagnostics }
}

function split(path: string): { readonly folder: string; readonly name: string } {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  return { folder: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) }
}
