import type { Catalog } from '../../../catalog/create/catalog.ts'
import { hasChanged } from '../../../engine/standing/has-changed.ts'
import type { OpenSource } from '../../../engine/model/source-state.ts'
import type { WorkspaceState } from '../../../engine/model/state.ts'
import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import type { VariableScope } from '../../../kernel/substitute-variables.ts'
import type { Agent } from '../../../skills/definition/agent.ts'
import { newSection } from '../document/new-section.ts'
import type { PromptItem, PromptSection } from '../document/prompt-document.ts'
import { SECTION_TITLE } from '../document/section-title.ts'
import type { ReuseSection } from '../document/reuse-section.ts'
import { skillSection } from './skill-section.ts'

/**
 * The skills loaded now beyond the initial ones, in full, and which skills do not apply: initial
 * ones that were put away or never came, and loaded ones that changed, broke or are gone from the
 * catalog.
 */
export function activeSkillsSection(
  catalog: Catalog,
  agent: Agent | null,
  state: WorkspaceState,
  scopes: readonly VariableScope[],
  reuse: ReuseSection,
): PromptSection | null {
  const id = 'active-skills'
  const initial = new Set(agent?.initialSkills)
  const active = state.open.filter(({ source }) => source === 'skill')
  const off = [...putAway(catalog, initial, active, state), ...outOfOrder(catalog, active, state)]
  const unusable = new Set(off.map(({ name }) => name))
  const children = active
    .filter(({ owner }) => !initial.has(owner) && !unusable.has(sanitiseLine(owner)))
    .flatMap(({ owner }) => catalog.skills.get(owner) ?? [])
    .map((skill) => skillSection(skill, scopes, id, 'step'))
  if (children.length === 0 && off.length === 0) return null
  return reuse(id, children, JSON.stringify(off), () =>
    newSection({
      kind: 'active-skills',
      id,
      title: SECTION_TITLE.activeSkills,
      source: 'loadout',
      owner: 'loadout',
      stability: 'step',
      blocks: [
        off.length === 0 ? undefined : { kind: 'prose', text: 'These skills do not apply now:' },
        off.length === 0 ? undefined : { kind: 'items', items: off },
        children.length === 0
          ? undefined
          : { kind: 'prose', text: 'These skills are loaded. Work by their instructions.' },
      ],
      children,
    }),
  )
}

function putAway(
  catalog: Catalog,
  initial: ReadonlySet<string>,
  active: readonly OpenSource[],
  state: WorkspaceState,
): PromptItem[] {
  if (state.opening === null) return []
  const owners = new Set(active.map(({ owner }) => owner))
  const left = new Set(state.closed.flatMap((one) => (one.source === 'skill' ? [one.owner] : [])))
  return [...initial]
    .filter((name) => catalog.skills.has(name) && !owners.has(name))
    .map((name) => itemOf(name, left.has(name) ? 'put away' : 'not loaded'))
}

function outOfOrder(
  catalog: Catalog,
  active: readonly OpenSource[],
  state: WorkspaceState,
): PromptItem[] {
  const broken = new Map(state.broken.map(({ skill, message }) => [skill, message]))
  return active.flatMap((source) => {
    const { owner } = source
    if (!catalog.skills.has(owner)) return itemOf(owner, 'gone from the catalog')
    if (hasChanged(source, catalog)) return itemOf(owner, 'changed since it was loaded')
    const message = broken.get(owner)
    return message === undefined ? [] : itemOf(owner, 'broken', message)
  })
}

function itemOf(name: string, mark: string, summary = ''): PromptItem {
  return { name: sanitiseLine(name), summary: sanitiseLine(summary), marks: [mark], facts: [] }
}
