import type { CmsReport } from './run-all.ts'
import type { ConversationReport } from './run-conversation.ts'
import type { StepReport } from './step-report.ts'

/** Everything, for people. */
export function reportText({ model, provider, conversations, savings }: CmsReport): string {
  const saved = savings.map(({ setup, what, all, definitions, page, saved: share }) => {
    const instead = `${definitions} + ${page} instead of ${all}`
    return `  ${setup.padEnd(10)} ${what.padEnd(24)} ${instead.padEnd(28)} ${percent(share)} saved`
  })
  const heading = 'Definitions and search pages of a request, instead of all definitions and rules:'
  return [
    `Model ${model}; requests compared in the order of provider "${provider}". Tokens of o200k_base.`,
    ...conversations.map((one) => conversationText(one)),
    [heading, ...saved].join('\n'),
    ['Whole conversations:', ...conversations.map(totalsLine)].join('\n'),
  ].join('\n\n')
}

/** One conversation, step by step; without figures only what was done and what came of it. */
export function conversationText(
  { conversation, title, setup, turns, refused, remembered }: ConversationReport,
  { figures = true }: { readonly figures?: boolean } = {},
): string {
  const lines = turns.flatMap(({ user, steps, agreed }) => [
    `  user: ${user}`,
    ...steps.flatMap((step, index) => [
      ...stepLines(step, index + 1, figures),
      ...agreed
        .filter(({ after }) => after === index + 1)
        .map(({ call }) => `     a person agrees to ${call}`),
    ]),
  ])
  const { entities, found, used } = remembered
  return [
    `${conversation}, ${setup}: ${title}`,
    ...lines,
    ...refused.map((one) => `  refused ${one}`),
    `  about ${listed(entities)}`,
    ...(figures ? [`  found ${listed(found)}`] : []),
    `  used  ${listed(used)}`,
  ].join('\n')
}

function stepLines(step: StepReport, number: number, figures: boolean): readonly string[] {
  const { tools, tokens, kept, previous, said } = step
  const { definitions, instructions, conversation, page } = tokens
  const figured =
    `     definitions ${definitions}, instructions ${instructions}, ` +
    `conversation ${conversation} (pages ${page}); kept ${kept} of ${previous}`
  return [
    `  ${number}. ${tools.join(' ')}`,
    ...(figures ? [figured] : []),
    ...said.map((one) => `     -> ${one}`),
  ]
}

function totalsLine({ setup, conversation, totals }: CmsReport['conversations'][number]): string {
  const { requests, tokens, price, kept } = totals
  const sent = `${requests} requests, ${tokens} tokens, price ${price}`
  return `  ${conversation} ${setup.padEnd(10)} ${sent}; kept ${percent(kept)}`
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? 'nothing' : texts.join(', ')
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
