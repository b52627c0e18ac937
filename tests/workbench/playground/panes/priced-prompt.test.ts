import { expect, test } from 'vitest'
import { renderToString } from 'ink'
import { createElement } from 'react'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import {
  pricedPrompt,
  type PricedPrompt,
} from '../../../../src/workbench/playground/panes/priced-prompt.ts'
import { promptPane } from '../../../../src/workbench/playground/panes/prompt-pane.tsx'
import { cachedTokens } from '../../../../src/workbench/report/facts/request-report.ts'
import { requestTokens } from '../../../../src/engine/model/step-cost.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

/** A session after two steps: a skill came in between, and another one comes before the next step. */
async function aSession() {
  const playground = await aPlayground(undefined, {}, [], {
    provider: 'anthropic',
    exposure: 'active',
  })
  const { context, workspace } = playground
  await workspace.beginStep({ messageTokens: 2000 })
  await workspace.activateSkill('data-analysis', { by: 'user' })
  await workspace.beginStep({ messageTokens: 2100 })
  await workspace.activateSkill('reporting', { by: 'user' })
  await context.readNext()
  const press = (...strokes: string[]) => handleStrokes(strokes, context, TABLE)
  const draw = (width = 70, height = 24) => {
    const theme = { ascii: false, colour: false }
    const tree = createElement(promptPane.View, { context, focused: true, width, height, theme })
    return renderToString(tree, { columns: width })
  }
  return { ...playground, press, draw }
}

/** Adds up the rows of each part of the request. */
function sums({ sections, tools }: PricedPrompt, of: 'tokens' | 'kept') {
  const sum = { tools: 0, instructions: 0, conversation: 0 }
  for (const { placement, tokens, wasSent, figures } of [...tools(), ...sections]) {
    sum[placement] += of === 'kept' ? (figures?.kept ?? 0) : wasSent === true ? 0 : (tokens ?? 0)
  }
  return sum
}

test('the rows add up to the cost of the next step, and their cached tokens to what it keeps', async () => {
  const { context, workspace } = await aSession()
  for (const exposure of [{}, { strategy: 'active' }, { strategy: 'append' }] as const) {
    context.ui.setState({ sentAs: exposure })
    await context.readNext()
    const priced = pricedPrompt(context)
    const { cost } = context.next() ?? {}
    expect(sums(priced, 'tokens')).toEqual(cost?.tokens)
    const kept = sums(priced, 'kept')
    const cached = cachedTokens(cost ?? never())
    expect(kept.tools + kept.instructions + kept.conversation).toBe(cached)
    expect(
      Object.fromEntries(priced.parts?.map(({ placement, tokens }) => [placement, tokens]) ?? []),
    ).toEqual(cost?.tokens)
    expect(priced.parts?.reduce((sum, part) => sum + (part.figures?.kept ?? 0), 0)).toBe(cached)
    const change = priced.parts?.reduce((sum, part) => sum + (part.figures?.change ?? 0), 0) ?? 0
    expect(change).toBe(requestTokens(cost ?? never()) - (cost?.previous ?? 0))
  }
  context.ui.setState({ sentAs: {} })
  const { cost } = (await context.readNext()) ?? {}
  expect(cost).toEqual((await workspace.previewStep({ messageTokens: 2100 })).cost)
  expect(cost).toEqual((await workspace.beginStep({ messageTokens: 2100 })).cost)
})

function never(): never {
  throw new Error('The request has no price.')
}

test('rows say what is cached, what is new, where the cache is cut and which entry did it', async () => {
  const { draw } = await aSession()
  expect(draw()).toMatchInlineSnapshot(`
    "request 2,297 tokens (words)
                                               tokens  cached     ± step 2
    ❯ ▸ TOOLS (6)                                 75          ✂         +2
      INSTRUCTIONS                                80
      ▸ Skill catalog                             29
      ▸ Loading skills                            51
      CONVERSATION                             2,142                   +16
      ▸ Conversation so far                    2,126
      ▸+Loaded skills                              8                    +8
      ▾ SKILL TOOLS: Data Analysis               (15)
      ╔══════════════════════════════════════════════════════════════════╗
      ║                    SKILL TOOLS: Data Analysis                    ║
      ╠══════════════════════════════════════════════════════════════════╣
      ║ query_table: Run one query.                                      ║
      ║ list_tables: List the tables.                                    ║
      ╚══════════════════════════════════════════════════════════════════╝
      ▾+SKILL TOOLS: Reporting                     8                    +8
      ╔══════════════════════════════════════════════════════════════════╗
      ║                      SKILL TOOLS: Reporting                      ║
      ╠══════════════════════════════════════════════════════════════════╣
      ║ write_report: Write it.                                          ║
      ╚══════════════════════════════════════════════════════════════════╝
    ✂ tools "write_report": 2,206 tokens paid again, by #5 (key #): skill
    "reporting" activated, with 1 tool; presupposes skill data-analysis"
  `)
})

test('a tool that left is listed with the tokens it took', async () => {
  const { context, workspace, press, draw } = await aSession()
  await workspace.beginStep({ messageTokens: 2100 })
  await workspace.deactivateSkill('data-analysis', { cascade: true })
  await context.readNext()
  await press('5', 'g', 'space')
  expect(draw()).toMatchInlineSnapshot(`
    "request 2,314 tokens (words)
                                               tokens  cached     ± step 3
    ❯ ▾ TOOLS (3)                                 67          ✂         -8
      ▸ loadSkill                                 20
      ▸ loadSkillFile                             33
      ▸ unloadSkill                               14
      ▸-query_table                                0          ✂         -3
      ▸-list_tables                                0                    -3
      ▸-write_report                               0                    -2
      INSTRUCTIONS                                80
      ▸ Skill catalog                             29
      ▸ Loading skills                            51
      CONVERSATION                             2,167                   +25
      ▸ Conversation so far                    2,142
      ▸ No longer applies: Loaded skill: d…        6                    +6
      ▸ No longer applies: Loaded skill: r…        6                    +6
      ▾ No longer applies: SKILL TOOLS: Da…        7                    +7
      No longer applies: SKILL TOOLS: Data Analysis.
      ▾ No longer applies: SKILL TOOLS: Re…        6                    +6
      No longer applies: SKILL TOOLS: Reporting.


    ✂ tools "query_table": 2,222 tokens paid again, by #8 (key #): skill
    "data-analysis" deactivated; 6 tokens freed, 2224 tokens after them"
  `)
})

test('the key of the cause goes to the entry that lost the cache', async () => {
  const { context, press } = await aSession()
  await press('5', '#')
  const { focus, panes } = context.ui.getState()
  expect(focus).toBe('timeline')
  const cause = context.entries()[Number(panes['timeline']?.selected)]
  expect(cause?.event).toMatchObject({ type: 'source.opened', owner: 'reporting' })
})

test('keys change the provider and the strategy that prices are shown for, and the log has none of it', async () => {
  const { context, workspace, press } = await aSession()
  const { seq } = workspace.state
  const seen: string[] = []
  await press('5')
  for (const key of ['p', 'p', 'p', 'p', 's', 's', 's']) {
    await press(key)
    const { cost, exposure } = (await context.readNext()) ?? never()
    seen.push(`${key} ${cost.provider} ${exposure.strategy}`)
  }
  expect(seen).toMatchInlineSnapshot(`
    [
      "p openai active",
      "p google active",
      "p compatible active",
      "p anthropic active",
      "s anthropic append",
      "s anthropic deferred",
      "s anthropic active",
    ]
  `)
  expect(workspace.state.seq).toBe(seq)
})

test('another strategy is priced as if all requests had been sent with it', async () => {
  const { context, workspace } = await aSession()
  context.ui.setState({ sentAs: { strategy: 'append' } })
  const shown = await context.readNext()
  const { workspace: other } = await aPlayground(undefined, {}, [], {
    provider: 'anthropic',
    exposure: 'append',
  })
  await other.beginStep({ messageTokens: 2000 })
  await other.activateSkill('data-analysis')
  await other.beginStep({ messageTokens: 2100 })
  await other.activateSkill('reporting')
  expect(shown?.cost).toEqual((await other.previewStep({ messageTokens: 2100 })).cost)
  expect(workspace.state.strategy).not.toBe('append')
})
