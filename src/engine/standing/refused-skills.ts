import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Policy, Rule } from '../model/policy.ts'
import { LOAD_SKILL, META_OWNER } from '../model/source-event.ts'
import { isAbout, policyChain } from './permission.ts'
import { isWhere } from './where-matches.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { matchesTool } from '../../tools/definition/matches-tool.ts'

const NONE_REFUSED: ReadonlyMap<string, Rule> = new Map()

const refusedMemo = identityMemo<ReadonlyMap<string, Rule>>()

/**
 * Returns the skills that no model may load, each with the rule that denies it: a rule of `deny` about `loadSkill` that
 * has no condition, or only the name of the skill, or of one that it requires. They are not listed for models.
 */
export function refusedSkills(
  policy: Policy,
  { skills }: Pick<Catalog, 'skills'>,
): ReadonlyMap<string, Rule> {
  return refusedMemo([policy, skills], '', () => {
    const rules = policyChain(policy).flatMap(({ deny }) => deny.filter(isAboutLoading))
    return rules.length === 0 ? NONE_REFUSED : refusedBy(rules, skills)
  })
}

/** Returns true for a rule about loading skills without a condition, or with their name alone. */
function isAboutLoading(rule: Rule): boolean {
  const claim = { name: LOAD_SKILL, definedAs: LOAD_SKILL }
  const source = { source: 'global', owner: META_OWNER } as const
  if (typeof rule === 'string') return matchesTool(rule, claim, source)
  if (rule.when !== undefined) return false
  if (!['', 'skillName'].includes(Object.keys(rule.where ?? {}).join())) return false
  return isAbout(rule, { claim, source, tool: { risk: 'safe' } })
}

function refusedBy(rules: readonly Rule[], skills: Catalog['skills']): ReadonlyMap<string, Rule> {
  const refused = new Map<string, Rule>()
  for (const { name, displayName, aliases } of skills.values()) {
    const forms = [name, displayName, ...aliases].map((skillName) => ({ skillName }))
    const found = rules.find((rule) => typeof rule === 'string' || isWhere(rule, 'deny', forms, []))
    if (found !== undefined) refused.set(name, found)
  }
  for (let before = -1; before < refused.size && refused.size > 0;) {
    before = refused.size
    for (const { name, requires } of skills.values()) {
      const [rule] = requires.flatMap((one) => refused.get(one) ?? [])
      if (rule !== undefined && !refused.has(name)) refused.set(name, rule)
    }
  }
  return refused
}
