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
export type { NameHistory } from '../engine/explain/name-history.ts'
export type { ReadUsage } from '../workspace/conversation/model-conversation.ts'
export type { StepUsage } from '../workspace/offer/exposure/step-usage.ts'
export { sessionUsage, type UsageReport } from '../workspace/offer/exposure/usage-tally.ts'
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

// What the model reads, and figures in words.
export {
  counted,
  formatCount,
  reachText,
  reachWord,
  shareText,
  tokenChange,
} from '../render/ink/parts/format-count.ts'
export {
  keptText,
  requestChangeText,
  requestPartsText,
  type RequestPrice,
  requestText,
  sentWithText,
} from '../render/ink/parts/request-text.ts'
export { type LedgerGroup, type LedgerRow, ledgerRows } from '../render/ink/views/ledger-rows.ts'
export {
  diffDocuments,
  type DocumentDiff,
  type SectionChange,
} from '../render/prompt/diff-documents.ts'
export type {
  Fact,
  Placement,
  PromptNote,
  PromptSection,
  Stability,
} from '../render/prompt/document/prompt-document.ts'
export {
  type ConversationPart,
  conversationParts,
  type PromptFormat,
  writeSection,
} from '../render/prompt/forms/write-prompt.ts'
export { argumentFacts } from '../render/prompt/sections/tool-sections.ts'
