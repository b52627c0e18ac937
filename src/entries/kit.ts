// Options and values.
export { canonicalJson } from '../kernel/canonical-json.ts'
export {
  checkedText,
  checkKind,
  checkOptions,
  checkRecord,
  type OptionsOf,
  type OptionTable,
} from '../kernel/check-options.ts'
export { contentHash, textHash } from '../kernel/content-hash.ts'
export { identityMemo, type IdentityMemo, memberMemo } from '../kernel/identity-memo.ts'
export { isObject } from '../kernel/json-value.ts'
export { serialQueue } from '../kernel/serial-queue.ts'
export { errorCode, thrownMessage, tryOrUndefined } from '../kernel/thrown-message.ts'
export type { ValueIssue } from '../schema/interpreter/schema-source.ts'
export { LONGEST_TIMER_MS, withTimeLimit } from '../workspace/commands/with-time-limit.ts'

// Text.
export { displayWidth, graphemes, truncateToWidth, wrapLines } from '../kernel/display-width.ts'
export { firstSentence } from '../kernel/first-sentence.ts'
export { wellFormed, wellFormedJson } from '../kernel/json-value.ts'
export { matchesPattern } from '../kernel/matches-pattern.ts'
export { quotedPath, sanitiseLine, sanitiseText, shellWord } from '../kernel/sanitise-text.ts'
export { type EnvironmentSelection, selectEnvironment } from '../kernel/substitute-variables.ts'

// Names.
export { listingAddress } from '../engine/standing/list-tools.ts'
export { byName, didYouMean, nearestNames } from '../kernel/nearest-names.ts'
export {
  displayNameOf,
  isUsableName,
  usableName,
  usableToolName,
} from '../skills/definition/definition-name.ts'
export { findSkill } from '../skills/find-skill.ts'
export { toolName } from '../tools/definition/parse-tool-reference.ts'

// Files and definitions.
export { type FilePlace, filePlace, placeText } from '../kernel/diagnostic.ts'
export { isSkillFilePath } from '../skills/definition/define-skill.ts'
export { isScript } from '../skills/find-skill-file.ts'
export { decodeText } from '../skills/parse/decode-text.ts'
export { Findings } from '../skills/parse/findings.ts'
export type { ToolServer } from '../tools/definition/tool-server.ts'

// What a session says.
export { describeCause, describeEvent } from '../engine/explain/describe-event.ts'
export { describeQuestion, withArguments } from '../engine/explain/describe-question.ts'
export { decidingPlace, reasonText } from '../engine/explain/verdict.ts'
export type { ApprovalScope, PendingConfirmation } from '../engine/model/consent-event.ts'
export type { Rule } from '../engine/model/policy.ts'
export { isMeta, type OpenSource } from '../engine/model/source-event.ts'
export { ruleKey } from '../engine/model/stored-rule.ts'
export { activeSkills, openSkill } from '../engine/standing/assess-skill.ts'
export { skillToolNames } from '../engine/standing/list-skills.ts'
export { refusedSkills } from '../engine/standing/refused-skills.ts'
export type { ToolDifference } from '../engine/standing/tool-table.ts'
export { PARTS_OF_RESULTS } from '../workspace/offer/conversation/history-message.ts'
