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

// What a request costs.
export {
  type PricedChange,
  type RequestChange,
  requestTokens,
  type StepCost,
} from '../engine/model/step-cost.ts'
export { promptLedger } from '../render/prompt/ledger/prompt-ledger.ts'
export {
  definitionTokens,
  itemTokens,
  knownSkillTokens,
  knownToolTokens,
  skillTextTokens,
  skillTokens,
} from '../render/prompt/ledger/section-tokens.ts'
export {
  nextRequest,
  priceChange,
  toolReach,
  type ToolReach,
} from '../workspace/offer/preview-step.ts'
export { providerFacts, strategyOf } from '../workspace/open/choose-exposure.ts'
export { linearCounter, o200kCounter } from '../workspace/open/o200k-counter.ts'
