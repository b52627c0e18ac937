import { describeReason } from './describe-rule.ts'
import type { AskedQuestion, KeptArguments } from '../model/consent-event.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { isObject } from '../../kernel/json-value.ts'
import type { Elicitation } from '../../tools/definition/call-client.ts'

/** Describes the rule or the condition that asked; null when the tool asks about each call. Not sanitised. */
export function whyAsked({
  asks,
  condition,
}: Pick<AskedQuestion, 'asks' | 'condition'>): string | null {
  if (asks !== undefined) return `by the rule: ${describeReason(asks)}`
  if (condition?.asks !== true) return null
  return `by its condition${condition.reason === undefined ? '' : `: ${condition.reason}`}`
}

/** Describes the arguments that a confirmation keeps, after a space. Empty when it keeps none. */
export function withArguments({ arguments: kept, omittedBytes }: KeptArguments): string {
  if (omittedBytes !== undefined)
    return ` with ${omittedBytes} bytes of arguments, too many to keep`
  return kept === undefined ? '' : ` with ${canonicalJson(kept)}`
}

/**
 * Describes a question for the person who answers it, except for the arguments: why it is asked, and what the call
 * would do. Empty when nothing of it is known. Not sanitised.
 */
export function describeQuestion(
  asked: Pick<AskedQuestion, 'asks' | 'condition' | 'preview' | 'elicitation'>,
): string {
  const why = whyAsked(asked)
  const { preview, elicitation } = asked
  return [
    ...(why === null ? [] : [`Asked ${why}`]),
    ...(elicitation === undefined ? [] : describeElicitation(elicitation)),
    ...(preview ? [preview.text] : []),
  ].join('\n')
}

function describeElicitation(question: Elicitation): readonly string[] {
  const asks = `The running call asks: ${question.message}`
  if ('url' in question) return [asks, `It wants you to open ${question.url}`]
  const { properties } = question.schema
  const fields = isObject(properties) ? Object.keys(properties) : []
  return fields.length === 0 ? [asks] : [asks, `Fields: ${fields.join(', ')}`]
}
