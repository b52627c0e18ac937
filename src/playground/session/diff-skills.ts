import { dirname } from 'node:path'
import type { Catalog, SkillTool } from '../../catalog/create/catalog.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { byName } from '../../kernel/nearest-names.ts'
import type { DiskChange } from '../context/ui-state.ts'
import { isInside } from '../../project/walk/is-inside.ts'
import type { Skill } from '../../skills/definition/skill.ts'

/**
 * How the skills on disk differ from those a session goes by, in the order of names.
 *
 * A skill is broken when an error in its folder cost it its definition or a tool, or when a tool of
 * it lost its handler; what it is now cannot be what was meant.
 */
export function diffSkills(before: Catalog, after: Catalog): readonly DiskChange[] {
  const names = new Set([...before.skills.keys(), ...after.skills.keys()])
  return [...names].sort(byName).flatMap((name) => changeOf(name, before, after) ?? [])
}

function changeOf(skill: string, before: Catalog, after: Catalog): DiskChange | null {
  const [was, is] = [before.skills.get(skill), after.skills.get(skill)]
  if (was === undefined) return { skill, what: 'added', text: 'It can be equipped.' }
  const why = whyBroken(was, is, before, after)
  if (why !== null) return { skill, what: 'broken', text: why }
  if (is === undefined) return { skill, what: 'removed', text: 'It is gone from the disk.' }
  const parts = changedParts(
    { skill: was, tools: before.skillTools.get(skill) ?? [] },
    { skill: is, tools: after.skillTools.get(skill) ?? [] },
  )
  return parts.length === 0 ? null : { skill, what: 'changed', text: `${parts.join(', ')}.` }
}

/** What broke a skill that was whole; null when nothing did. */
function whyBroken(
  was: Skill,
  is: Skill | undefined,
  before: Catalog,
  after: Catalog,
): string | null {
  const { path } = was
  if (path === undefined) return null
  const inFolder = ({ file }: Diagnostic) => file !== undefined && isInside(dirname(path), file)
  const findings = after.diagnostics.filter(inFolder)
  const error = findings.find(({ severity }) => severity === 'error')
  if (is === undefined) return error?.message ?? null
  const now = new Map((after.skillTools.get(was.name) ?? []).map(({ tool }) => [tool.name, tool]))
  for (const { tool } of before.skillTools.get(was.name) ?? []) {
    const same = now.get(tool.name)
    if (same === undefined && error !== undefined) return error.message
    if (same !== undefined && tool.execute !== undefined && same.execute === undefined) {
      const named = findings.find(({ message }) => message.includes(`"${tool.name}"`))
      return named?.message ?? `The tool "${tool.name}" lost its handler.`
    }
  }
  return null
}

/** A skill with all the tools it brings. */
interface WholeSkill {
  readonly skill: Skill
  readonly tools: readonly SkillTool[]
}

/** What differs between two definitions of a skill, in words; empty when they are the same. */
function changedParts(was: WholeSkill, is: WholeSkill): readonly string[] {
  const tools = changedTools(was.tools, is.tools)
  if (was.skill.hash === is.skill.hash && tools.length === 0) return []
  const parts = [
    ...(was.skill.instructions === is.skill.instructions ? [] : ['instructions']),
    ...(was.skill.description === is.skill.description ? [] : ['description']),
    ...(tools.length === 0 ? [] : [`tools (${tools.join(' ')})`]),
    ...(digest(was.skill.files) === digest(is.skill.files) ? [] : ['files']),
  ]
  return parts.length === 0 ? ['settings'] : parts
}

/** `+` came, `-` went, `~` is another one. */
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

/** Changes on disk by what becomes of them. */
export interface SortedChanges {
  /** Kept as they were: broken, or equipped and not accepted yet. */
  readonly waiting: readonly DiskChange[]
  /** Taken at once. */
  readonly taken: readonly DiskChange[]
}

/** What is equipped waits until it is accepted; what broke, until it is whole again. */
export function sortChanges(
  changes: readonly DiskChange[],
  equipped: readonly string[],
): SortedChanges {
  const waits = ({ what, skill }: DiskChange) => {
    switch (what) {
      case 'broken':
        return true
      case 'changed':
      case 'removed':
        return equipped.includes(skill)
      case 'added':
        return false
    }
  }
  return {
    waiting: changes.filter(waits).map((change) => ({ ...change, text: withConsequence(change) })),
    taken: changes.filter((change) => !waits(change)),
  }
}

function withConsequence({ what, text }: DiskChange): string {
  return what === 'broken'
    ? `${text} It stays as it was last.`
    : `${text} It stays as it was until this is accepted.`
}

/** Told one by one; more are counted. */
const MOST_LISTED = 3

/** A few changes in full, many as numbers: `4 changed, 12 added on disk.` */
export function describeDiskChanges(changes: readonly DiskChange[]): string {
  if (changes.length <= MOST_LISTED) return changes.map(describeDiskChange).join(' ')
  const counts = new Map<DiskChange['what'], number>()
  for (const { what } of changes) counts.set(what, (counts.get(what) ?? 0) + 1)
  return `${[...counts].map(([what, count]) => `${count} ${what}`).join(', ')} on disk.`
}

function describeDiskChange({ skill, what, text }: DiskChange): string {
  return `${skill} ${what}: ${text}`
}
