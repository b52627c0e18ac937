import type { Explanation } from '../../engine/explain/explain-tool.ts'
import { didYouMean } from '../../kernel/did-you-mean.ts'
import { nearestNames } from '../../kernel/nearest-names.ts'
import { findSkill } from '../../skills/find-skill.ts'
import type { OpenSession } from '../opening/open-session.ts'
import { skillReports } from './skill-report.ts'

/** What `why --json` prints: an explanation, its keys in this order. */
export type WhyReport = Explanation

/**
 * Explain what goes by a name: a tool, else a skill, else a skill that could not be loaded.
 *
 * @param only look among one kind; among both when null
 */
export function whyReport(
  name: string,
  only: 'tool' | 'skill' | null,
  session: OpenSession,
): WhyReport {
  const { kind, status, source, owner, because, fix, changes, nearest, ...rest } = explain(
    name,
    only,
    session,
  )
  const drift = changes && { changes }
  return { name: rest.name, kind, status, source, owner, because, fix, ...drift, nearest }
}

function explain(name: string, only: 'tool' | 'skill' | null, session: OpenSession): Explanation {
  const { workspace } = session
  const tool = workspace.explain(name)
  if (only === 'tool' || (only === null && tool.status !== 'unknown')) return tool
  const found = findSkill(name, workspace.catalog.skills)
  const skill = workspace.explainSkill(found.ok ? found.name : name)
  if (skill.status !== 'unknown') return skill
  const unloaded = brokenSkill(name, session)
  if (unloaded !== null) return unloaded
  if (only === 'skill') return skill
  const known = [...session.workspace.tools(), ...session.workspace.skills()]
  const nearest = nearestNames(
    name,
    known.map((one) => one.name),
  )
  const seq = Math.max(0, workspace.state.seq)
  return {
    ...tool,
    because: [{ seq, text: `No tool and no skill is named "${name}".` }],
    fix: didYouMean(nearest, 'List the tools and the skills to see their names.'),
    nearest,
  }
}

/** Why a SKILL.md that is there is no skill. */
function brokenSkill(name: string, session: OpenSession): Explanation | null {
  const broken = skillReports(session).find((one) => one.name === name && one.status === 'broken')
  const errors = broken?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
  if (errors.length === 0) return null
  return {
    name,
    kind: 'skill',
    status: 'broken',
    source: 'skill',
    owner: name,
    because: errors.map(({ message }) => ({ seq: 0, text: `It could not be loaded: ${message}` })),
    fix: errors.map(({ hint }) => hint).join(' '),
    nearest: [],
  }
}
