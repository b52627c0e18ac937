import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { Policy, Rule } from '../model/policy.ts'
import { LOAD_SKILL, LOAD_SKILL_FILE, META_OWNER } from '../model/source-event.ts'
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

/**
 * Returns true for a skill whose files a rule of `deny` or `ask` about `loadSkillFile` may keep back, so that no other
 * tool may reach them. A rule about every tool is judged at the call of that tool.
 */
export function keepsFilesBack(
  policy: Policy,
  { name, displayName, aliases }: Pick<Skill, 'name' | 'displayName' | 'aliases'>,
): boolean {
  const forms = [name, displayName, ...aliases].map((skillName) => ({ skillName }))
  const mayBeAbout = (rule: Rule) => {
    if (rule === '*' || !isAboutMeta(rule, LOAD_SKILL_FILE)) return false
    const skillName = typeof rule === 'string' ? undefined : rule.where?.['skillName']
    if (typeof rule === 'string' || skillName === undefined) return true
    return isWhere({ ...rule, where: { skillName } }, 'deny', forms, [])
  }
  return policyChain(policy).some(({ deny, ask }) => [...deny, ...ask].some(mayBeAbout))
}

/** Returns true for a rule about loading skills without a condition, or with their name alone. */
function isAboutLoading(rule: Rule): boolean {
  if (typeof rule !== 'string') {
    if (rule.when !== undefined) return false
    if (!['', 'skillName'].includes(Object.keys(rule.where ?? {}).join())) return false
  }
  return isAboutMeta(rule, LOAD_SKILL)
}

function isAboutMeta(rule: Rule, name: string): boolean {
  const claim = { name, definedAs: name }
  const source = { source: 'global', owner: META_OWNER } as const
  return typeof rule === 'string'
    ? matchesTool(rule, claim, source)
    : isAbout(rule, { claim, source, tool: { risk: 'safe' } })
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
