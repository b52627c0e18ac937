import { dirname } from 'node:path'
import { isInside } from '../../project/walk/is-inside.ts'
import { byName } from '../../kernel/by-name.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { DiskChange } from '../context/disk-change.ts'
import { changedParts } from './changed-parts.ts'

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
    if (same !== undefined && tool.run !== undefined && same.run === undefined) {
      const named = findings.find(({ message }) => message.includes(`"${tool.name}"`))
      return named?.message ?? `The tool "${tool.name}" lost its handler.`
    }
  }
  return null
}
