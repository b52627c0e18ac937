import { checkLookAlikes } from '../create/check-look-alikes.ts'
import { checkClients } from './checks/client-rules.ts'
import type { LintedItem, LintInput, LintItem, LintStatus } from './checks/lint-input.ts'
import { lintSkill } from './checks/lint-skill.ts'
import { nativeFindings } from './checks/native-findings.ts'
import { includesLevel, type LintLevel } from './codes/diagnostic-group.ts'
import { levelOf } from './diagnostic-groups.ts'
import type { Diagnostic, Severity } from '../../kernel/diagnostic.ts'
import { checkSpecification } from '../../skills/parse/check-specification.ts'

/** What lint answers. */
export interface LintReport {
  /** No item is an error. */
  readonly ok: boolean
  /** Definitions that were looked at. */
  readonly checked: number
  readonly level: LintLevel
  readonly items: readonly LintedItem[]
  /** What was not looked at as a whole, because there is too much of it, as sentences. */
  readonly limits: readonly string[]
}

/**
 * Judge everything that was read, at one level.
 *
 * At `spec` an error is what the specification's reference validator refuses, or what could not be
 * read for it. Above, reading is lenient: an error is what was not loaded, and what the validator
 * refuses is a warning. The specification and clients know skills only, so below `native` nothing
 * else is looked at.
 */
export function lintCatalog(input: LintInput): LintReport {
  const { level, items, root, native } = input
  const findings = [
    ...locateNameFindings(input.diagnostics, items),
    ...specificationFindings(input),
    ...(level === 'spec' ? [] : input.skills.map(lintSkill).flatMap(checkClients)),
    ...(native === null ? [] : nativeFindings(input, native)),
  ].filter(({ code }) => isTold(code, level))
  const linted = assignFindings(items, dedupeFindings(findings), root).filter((item) =>
    isLookedAt(item, level),
  )
  return {
    ok: linted.every(({ status }) => status !== 'error'),
    checked: linted.filter(({ kind }) => kind !== 'folder').length,
    level,
    items: linted,
    limits: native?.limits ?? [],
  }
}

function specificationFindings({ skills, level }: LintInput): readonly Diagnostic[] {
  const found = skills.flatMap(({ text, file, folder }) =>
    text === null ? [] : checkSpecification({ text, file, folder }),
  )
  if (level === 'spec') return found
  return found.map((one) => ({ ...one, severity: 'warning' }))
}

function isTold(code: string, level: LintLevel): boolean {
  const from = levelOf(code)
  return from !== null && includesLevel(level, from)
}

/** A skill of a manifest has no file that the specification or a client could read. */
function isLookedAt({ kind, path }: LintItem, level: LintLevel): boolean {
  if (level === 'native' || kind === 'folder') return true
  return kind === 'skill' && /[\\/]skill\.md$/i.test(path)
}

const KINDS = ['skill', 'tool', 'toolset', 'agent'] as const

/** Codes of a catalog's findings about names, which knows no files of them; told anew with files. */
const LOOK_ALIKE = 'look-alike-name'

const DUPLICATE_TOOL = 'duplicate-tool'

/**
 * A catalog's findings, with the files that those about names lack: of names that are taken for
 * another, the later one's; of shared tools that have one name, all of them.
 */
function locateNameFindings(
  findings: readonly Diagnostic[],
  items: readonly LintItem[],
): readonly Diagnostic[] {
  const alike = KINDS.flatMap((kind) => {
    const files = new Map(
      items.flatMap((item) =>
        item.kind === kind && item.name !== null ? [[item.name, item.path] as const] : [],
      ),
    )
    return checkLookAlikes(kind, [...files.keys()].sort(), (name) => files.get(name))
  })
  const told = new Set(alike.map(({ message }) => message))
  const rest = findings.flatMap((one): readonly Diagnostic[] => {
    if (one.code === LOOK_ALIKE) return told.has(one.message) ? [] : [one]
    return one.code === DUPLICATE_TOOL ? [withFiles(one, items)] : [one]
  })
  return [...rest, ...alike]
}

function withFiles(one: Diagnostic, items: readonly LintItem[]): Diagnostic {
  const files = items
    .filter(({ kind, name }) => kind === 'tool' && one.message.includes(`"${name}"`))
    .map(({ path }) => path)
  const file = files.at(-1)
  if (file === undefined) return one
  return { ...one, message: `${one.message} They stand in ${files.join(' and ')}.`, file }
}

/** Codes that say the same as another one about the same line, and the ones they give way to. */
const REPEATS: Readonly<Record<string, readonly string[]>> = {
  'spec-compatibility-kind': ['field-kind'],
  'spec-compatibility-length': ['compatibility-too-long'],
  'spec-description-length': ['description-too-long'],
  'spec-description-missing': ['description-missing'],
  'spec-front-matter': ['front-matter-missing', 'front-matter-unclosed', 'front-matter-engine'],
  'spec-name-folder': ['name-mismatch'],
  'spec-name-missing': ['name-missing'],
  'spec-unknown-field': ['unknown-field', 'field-not-portable', 'portable-client-field'],
  'unknown-field': ['portable-client-field'],
}

/**
 * Findings of which none says what another one does: the readers and the rules of levels see the
 * same mistakes. Of two the one stays that says what follows from it.
 */
function dedupeFindings(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const once = new Map(findings.map((one) => [JSON.stringify(one), one]))
  const said = new Set([...once.values()].map((one) => keyOf(one.code, one)))
  return [...once.values()].filter(
    (one) =>
      !Object.hasOwn(REPEATS, one.code) ||
      !REPEATS[one.code]?.some((code) => said.has(keyOf(code, one))),
  )
}

function keyOf(code: string, { file = '', line = 0 }: Diagnostic): string {
  return JSON.stringify([code, file, line])
}

/** Files that stand for the folder they are in: what is found inside is found about them. */
const OF_FOLDER = /^(?:SKILL\.md|skill\.md|AGENT\.md|TOOLSET\.md|TOOL\.md|schema\.json)$/

const ORDER: readonly Severity[] = ['error', 'warning', 'info']

/**
 * Items with the findings about them: about their file, else about something in their folder. A
 * finding about nothing that was listed makes an item of its own, of the folder it is in or of
 * `root`, so that none is lost.
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
    if (OF_FOLDER.test(name) && !byFolder.has(folder)) byFolder.set(folder, item)
  }
  const found = new Map<LintItem, Diagnostic[]>(items.map((item) => [item, []]))
  const others = new Map<string, Diagnostic[]>()
  for (const one of findings) {
    const item = itemOf(one, byFile, byFolder)
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

function itemOf(
  { file, message }: Diagnostic,
  byFile: ReadonlyMap<string, ReadonlyMap<string | null, LintItem>>,
  byFolder: ReadonlyMap<string, LintItem>,
): LintItem | undefined {
  if (file === undefined) return undefined
  const inFile = byFile.get(file)
  if (inFile !== undefined) {
    // Many definitions may stand in one file; the finding says which by its name.
    for (const [, name = ''] of message.matchAll(/"([^"]+)"/g)) {
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

function linted(item: LintItem, about: readonly Diagnostic[]): LintedItem {
  const diagnostics = about.toSorted(
    (a, b) =>
      compare(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) ||
      compare(a.code, b.code),
  )
  return { ...item, status: statusOf(about), diagnostics }
}

/** Remarks leave an item as it should be. */
function statusOf(about: readonly Diagnostic[]): LintStatus {
  if (about.some(({ severity }) => severity === 'error')) return 'error'
  return about.some(({ severity }) => severity === 'warning') ? 'warning' : 'ok'
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function split(path: string): { readonly folder: string; readonly name: string } {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  return { folder: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) }
}
