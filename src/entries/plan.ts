export {
  planSkills,
  type PricedWay,
  type SkillPlan,
  type SkillPlanOptions,
  type SkillWay,
} from '../workspace/plan/plan-skills.ts'
export {
  type SessionTrace,
  type TracedCall,
  traceSession,
} from '../workspace/plan/session-trace.ts'
