import { dirname } from 'node:path'
import type { Catalog, Diagnostic, Skill } from '../../../entries/index.ts'
import { byName } from '../../../entries/kit.ts'
import type { SkillTool } from '../../../entries/manifest.ts'
import type { DiskChange } from '../context/ui-state.ts'
import { isInside } from '../../project/walk/is-inside.ts'

/**
 * Compares the skills of a session with those on disk, in the order of names.
 *
 * A skill is broken when an error in its folder removed its definition or a tool, or when one of its
 * tools lost its handler: its current state is probably not intended.
 */
export function diffSkills(before: Catalog, after: Catalog): readonly DiskChange[] {
  const names = new Set([...before.skills.keys(), ...after.skills.keys()])
  return [...names].sort(byName).flatMap((name) => skillChange(name, before, after) ?? [])
}

function skillChange(skill: string, before: Catalog, after: Catalog): DiskChange | null {
  const [was, is] = [before.skills.get(skill), after.skills.get(skill)]
  if (was === undefined) return { skill, what: 'added', text: 'It can be activated.' }
  const why = whyBroken(was, is, before, after)
  if (why !== null) return { skill, what: 'broken', text: why }
  if (is === undefined) return { skill, what: 'removed', text: 'It is no longer on disk.' }
  const tools = changedTools(before.skillTools.get(skill) ?? [], after.skillTools.get(skill) ?? [])
  const parts = changedParts(was, is, tools)
  const between = { before, after }
  return parts.length === 0
    ? null
    : { skill, what: 'changed', text: `${parts.join(', ')}.`, between }
}

/** Returns the reason why a skill is broken now; null when it is not. */
function whyBroken(
  was: Skill,
  is: Skill | undefined,
  before: Catalog,
  after: Catalog,
): string | null {
  const { path } = was
  if (path === undefined) return null
  const inFolder = ({ file }: Diagnostic) => file !== undefined && isInside(dirname(path), file)
  const error = after.diagnostics.find((one) => one.severity === 'error' && inFolder(one))
  if (is === undefined) return error?.message ?? null
  const now = new Map((after.skillTools.get(was.name) ?? []).map(({ tool }) => [tool.name, tool]))
  for (const { tool } of before.skillTools.get(was.name) ?? []) {
    const same = now.get(tool.name)
    if (same === undefined && error !== undefined) return error.message
    if (same !== undefined && tool.execute !== undefined && same.execute === undefined) {
      const finding = after.diagnostics.find((one) => one.tool === same.hash)
      return finding?.message ?? `The tool "${tool.name}" has lost its handler.`
    }
  }
  return null
}

/** Lists the parts that differ between two definitions of a skill; empty when they are equal. */
function changedParts(was: Skill, is: Skill, tools: readonly string[]): readonly string[] {
  if (was.hash === is.hash && tools.length === 0) return []
  const parts = [
    ...(was.instructions === is.instructions ? [] : ['instructions']),
    ...(was.description === is.description ? [] : ['description']),
    ...(tools.length === 0 ? [] : [`tools (${tools.join(' ')})`]),
    ...(digest(was.files) === digest(is.files) ? [] : ['files']),
  ]
  return parts.length === 0 ? ['settings'] : parts
}

/** Lists changed tools: `+` added, `-` removed, `~` changed. */
function changedTools(was: readonly SkillTool[], is: readonly SkillTool[]): readonly string[] {
  const before = new Map(was.map(({ tool }) => [tool.name, tool.hash]))
  const after = new Map(is.map(({ tool }) => [tool.name, tool.hash]))
  return [
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) => `+${name}`),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => `-${name}`),
    ...[...after]
      .filter(([name, hash]) => before.has(name) && before.get(name) !== hash)
      .map(([name]) => `~${name}`),
  ]
}

function digest(files: Skill['files']): string {
  return JSON.stringify(files.map(({ path, hash, description }) => [path, hash, description]))
}

/** Changes on disk, sorted by whether they are applied. */
export interface SortedChanges {
  /** Not applied yet: of broken skills, and of active ones until the change is accepted. */
  readonly waiting: readonly DiskChange[]
  /** Applied at once. */
  readonly applied: readonly DiskChange[]
}

/** Sorts changes: those of active skills wait to be accepted, broken skills to be fixed. */
export function sortChanges(
  changes: readonly DiskChange[],
  active: readonly string[],
): SortedChanges {
  const waits = ({ what, skill }: DiskChange) =>
    what === 'broken' || (what !== 'added' && active.includes(skill))
  const waiting = changes.filter(waits).map((change) => {
    const { what, text } = change
    const consequence =
      what === 'broken'
        ? 'The last good version is used.'
        : 'Not applied yet: press a to accept it.'
    return { ...change, text: `${text} ${consequence}` }
  })
  return { waiting, applied: changes.filter((change) => !waits(change)) }
}

/** The most changes that are listed; more are counted. */
const MOST_LISTED = 3

/** Describes a few changes in full, many as numbers: `4 changed, 12 added on disk.` */
export function describeDiskChanges(changes: readonly DiskChange[]): string {
  if (changes.length <= MOST_LISTED) {
    return changes.map(({ skill, what, text }) => `${skill} ${what}: ${text}`).join(' ')
  }
  const kinds = [...Map.groupBy(changes, ({ what }) => what)]
  return `${kinds.map(([what, some]) => `${some.length} ${what}`).join(', ')} on disk.`
}
