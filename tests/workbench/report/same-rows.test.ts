import { o200kCounter } from '../../../src/workspace/open/o200k-counter.ts'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { describeQuestion, withArguments } from '../../../src/engine/explain/describe-question.ts'
import { sanitiseLine, sanitiseText } from '../../../src/kernel/sanitise-text.ts'
import type { ScreenPane } from '../../../src/workbench/playground/context/screen-pane.ts'
import { changePane } from '../../../src/workbench/playground/context/ui-state.ts'
import { compareSides } from '../../../src/workbench/cli/commands/diff/compare-sides.ts'
import { writeDiff } from '../../../src/workbench/cli/commands/diff/diff-command.ts'
import type { DiffSide } from '../../../src/workbench/cli/commands/diff/diff-side.ts'
import { findDifferences } from '../../../src/workbench/playground/page/find-differences.ts'
import { diffPane } from '../../../src/workbench/playground/panes/diff-pane.tsx'
import {
  captureMoment,
  differenceSince,
} from '../../../src/workbench/report/facts/compare-moments.ts'
import { createPageParts } from '../../../src/workbench/playground/page/page-parts.ts'
import { type MomentPanel, readMoment } from '../../../src/workbench/playground/page/read-moment.ts'
import { waitingPane } from '../../../src/workbench/playground/panes/waiting-pane.tsx'
import { skillsPane } from '../../../src/workbench/playground/panes/skills-pane.tsx'
import { promptPane } from '../../../src/workbench/playground/panes/prompt-pane.tsx'
import { timelinePane } from '../../../src/workbench/playground/panes/timeline-pane.tsx'
import { writePage } from '../../../src/workbench/playground/page/write-page.ts'
import { toolsPane } from '../../../src/workbench/playground/panes/tools-pane.tsx'
import {
  nextRequestText,
  requestReport,
} from '../../../src/workbench/report/facts/request-report.ts'
import {
  questionReport,
  questionsReport,
} from '../../../src/workbench/report/facts/questions-report.ts'
import { skillsReport } from '../../../src/workbench/report/facts/skills-report.ts'
import { describeEntry } from '../../../src/workbench/report/facts/timeline-report.ts'
import { toolsReport } from '../../../src/workbench/report/facts/tools-report.ts'
import { verdictReport } from '../../../src/workbench/report/facts/verdict-report.ts'
import type { Report } from '../../../src/workbench/report/report.ts'
import { jsonText, rowValues } from '../../../src/workbench/report/writers/json-text.ts'
import { printReport } from '../../../src/workbench/report/writers/print-report.ts'
import { drawn } from '../../render/ink/drawn.ts'
import { formatCount } from '../../../src/render/ink/parts/format-count.ts'
import { Screen } from '../../../src/workbench/playground/screen/screen.tsx'
import { TABLE } from '../playground/a-playground.ts'
import { WORDS } from '../playground/words.ts'
import { inRandomSessions, type RandomScreen, SESSIONS } from './a-random-screen.ts'

type Row = Readonly<Record<string, string>>

/** Returns the lines that a command prints. */
function printed(report: Report): readonly string[] {
  let text = ''
  const stdout = { write: (more: string) => (text += more) }
  printReport(report, { stdout, isTerminal: false, columns: 80, colour: false })
  return text.trimEnd().split('\n')
}

/** Returns the lines that a pane draws when there is room for all. */
function shown(
  { View }: ScreenPane,
  { context }: Pick<RandomScreen, 'context'>,
  height = 200,
): readonly string[] {
  const theme = { ascii: true, colour: false }
  const size = { width: 400, height }
  const text = drawn(createElement(View, { context, focused: false, theme, ...size }), size.width)
  return text.trimEnd().split('\n')
}

/** Cuts the lines of a table at the places of its titles. Lines of headings are the column FROM of those below. */
function cut([head = '', ...lines]: readonly string[], titles: readonly string[]): readonly Row[] {
  const places = titles.map((title) => head.search(new RegExp(`(?<=^|\\s)${title}(?=\\s|$)`)))
  let from = ''
  return lines.flatMap((line) => {
    const heading = /^ {2}- (.*) \(\d+\)$/.exec(line)
    if (heading !== null) {
      from = heading[1] ?? ''
      return []
    }
    const cells = titles.map((title, at) => [title, line.slice(places[at], places[at + 1]).trim()])
    return [{ FROM: from, ...Object.fromEntries(cells) }]
  })
}

const LETTERS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

const unescape = (text: string) =>
  text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (one) => LETTERS[one] ?? one)

/** Reads the rows of a view of the page, with the lines that explain each. */
async function pageRows(
  { workspace }: RandomScreen,
  view: MomentPanel,
): Promise<readonly (Row & { readonly about: string })[]> {
  const parts = createPageParts()
  const { panels } = await readMoment(workspace, WORDS, parts)
  let from = ''
  return panels[view].flatMap((part) => {
    const piece = parts.markup(part)
    from = unescape(/<h3>(.*?) <i>/.exec(piece)?.[1] ?? from)
    const name = /<b>([^]*?)<\/b>/.exec(piece)?.[1]
    if (name === undefined) return []
    const cells = [...piece.matchAll(/<span title="([A-Z ]+)"\s*>([^]*?)<\/span/g)].map(
      ([, title = '', text = '']) => [title, unescape(text).replace(/^(?:tokens|tools) /, '')],
    )
    const last = unescape(/<small>([^]*?)<\/small>/.exec(piece)?.[1] ?? '')
    const about = unescape(/<pre>([^]*?)<\/pre>/.exec(piece)?.[1] ?? '')
    return [{ NAME: unescape(name), LAST: last, ...Object.fromEntries(cells), FROM: from, about }]
  })
}

test(
  `tools: command, JSON, screen and page have the same rows in ${SESSIONS} sessions`,
  async () => {
    let rows = 0
    await inRandomSessions(async (screen) => {
      const { workspace, context } = screen
      const report = toolsReport(workspace, WORDS, await context.readNext())
      const titles = ['TOOL', 'FROM', 'STATUS', 'TOKENS', 'REASON']
      const wanted = JSON.parse(jsonText(rowValues(report))).map(
        ({
          name,
          source,
          owner,
          status,
          reach,
          asks,
          exposed,
          tokens,
          because,
        }: ReturnType<typeof report.json>): Row => {
          const word =
            status === 'available' ? reach : status === 'skill-inactive' ? 'inactive' : status
          const more = [
            ...(asks ? ['asks first'] : []),
            ...(exposed && status !== 'available' ? ['sent'] : []),
          ]
          const { seq, text } = because.at(-1) ?? { seq: -1, text: '' }
          return {
            TOOL: name,
            FROM: source === 'global' ? owner : `${source} ${owner}`,
            STATUS: [word, ...more].join(', '),
            TOKENS: String(tokens ?? '?'),
            REASON: `#${seq} ${text}`,
          }
        },
      )
      rows += wanted.length
      expect(cut(printed([report]), titles)).toEqual(wanted)
      // Grouped by where they are from.
      const grouped = [...Map.groupBy(wanted as Row[], ({ FROM }) => FROM).values()].flat()
      const onScreen = cut(
        shown(toolsPane, screen),
        titles.filter((title) => title !== 'FROM'),
      )
      expect(onScreen.map(withWholeStatus(grouped))).toEqual(grouped)
      const onPage = await pageRows(screen, 'tools')
      expect(
        onPage.map(({ NAME, LAST, STATUS, TOKENS, FROM }) => ({
          TOOL: NAME,
          FROM,
          STATUS,
          TOKENS,
          REASON: LAST,
        })),
      ).toEqual(grouped)
    })
    console.info(`${rows} rows of tools`)
  },
  60_000 + SESSIONS * 2_000,
)

/** A status that the screen cut has the beginning of the whole one. */
function withWholeStatus(wanted: readonly Row[]): (row: Row, at: number) => Row {
  return (row, at) => {
    const [start = '', ...cutOff] = (row['STATUS'] ?? '').split('~')
    const whole = wanted[at]?.['STATUS'] ?? ''
    return cutOff.length > 0 && whole.startsWith(start) ? { ...row, STATUS: whole } : row
  }
}

test(
  `skills: command, JSON, screen and page have the same rows in ${SESSIONS} sessions`,
  async () => {
    let rows = 0
    await inRandomSessions(async (screen) => {
      const { workspace } = screen
      const report = skillsReport(workspace, WORDS)
      const wanted = JSON.parse(jsonText(rowValues(report))).map(
        ({
          name,
          status,
          off,
          tools,
          tokens,
          description,
        }: ReturnType<typeof report.json>): Row => ({
          SKILL: name,
          STATUS: off ? (status === 'inactive' ? 'off' : `${status}, off`) : status,
          TOOLS: String(tools.length),
          TOKENS: String(tokens ?? '?'),
          DESCRIPTION: description,
        }),
      )
      rows += wanted.length
      const text = cut(printed([report]), ['SKILL', 'STATUS', 'TOOLS', 'TOKENS', 'DESCRIPTION'])
      expect(text).toEqual(wanted.map((row: Row) => ({ FROM: '', ...row })))
      const onPage = await pageRows(screen, 'skills')
      expect(
        onPage.map(({ NAME, STATUS, TOOLS, TOKENS, LAST }) => ({
          SKILL: NAME,
          STATUS,
          TOOLS,
          TOKENS,
          DESCRIPTION: LAST,
        })),
      ).toEqual(wanted)
      // A column without a word has no room on the screen.
      const some = ['LIFETIME', 'ON DISK'].filter((title) => onPage.some((row) => row[title]))
      const titles = ['SKILL', 'STATUS', 'TOOLS', 'TOKENS', ...some]
      const onScreen = cut(shown(skillsPane, screen), titles)
      expect(onScreen).toEqual(
        wanted.map(({ SKILL, STATUS, TOOLS, TOKENS }: Row, at: number) => ({
          FROM: '',
          SKILL,
          STATUS,
          TOOLS,
          TOKENS,
          ...Object.fromEntries(some.map((title) => [title, onPage[at]?.[title]])),
        })),
      )
    })
    console.info(`${rows} rows of skills`)
  },
  60_000 + SESSIONS * 2_000,
)

test(
  `why: command, JSON, screen and page give the same reasons in ${SESSIONS} sessions`,
  async () => {
    let asked = 0
    await inRandomSessions(async (screen) => {
      const { workspace, context } = screen
      const tools = toolsReport(workspace, WORDS, null)
      const skills = skillsReport(workspace, WORDS)
      for (const [pane, view, listed] of [
        [toolsPane, 'tools', tools],
        [skillsPane, 'skills', skills],
      ] as const) {
        const onPage = await pageRows(screen, view)
        expect(onPage).toHaveLength(listed.count)
        for (const { NAME: name = '', about } of onPage) {
          context.ui.setState((state) => changePane(state, view, { selected: name }))
          const why = view === 'tools' ? workspace.explain(name) : workspace.explainSkill(name)
          // A name that several skills bring: the row is about one of them.
          if (why.status === 'unknown') continue
          const { because, fix } = JSON.parse(jsonText(why)) as typeof why
          const wanted = printed(verdictReport({ ...why, because, fix }))
          const onScreen = pane.about?.(context)?.lines ?? []
          expect(onScreen.slice(0, about.split('\n').length)).toEqual(about.split('\n'))
          if (about.split('\n')[1] !== wanted[1]) continue
          asked += 1
          expect(about.split('\n').slice(1)).toEqual(wanted.slice(1))
        }
      }
    })
    console.info(`${asked} explanations`)
  },
  60_000 + SESSIONS * 2_000,
)

test(
  `the request: command, JSON, screen and page have the same figures in ${SESSIONS} sessions`,
  async () => {
    await inRandomSessions(async (screen) => {
      const { workspace, context } = screen
      const next = await context.readNext()
      if (next === null) throw new Error('no price')
      const value = JSON.parse(jsonText(requestReport(next, WORDS.name)))
      const { provider, strategy, total, tokens, kept, previous, minimum } = value
      const parts = next.cost.order.map((part) => `${part} ${formatCount(tokens[part])}`)
      const share =
        minimum === undefined
          ? `kept ${formatCount(kept)} of ${formatCount(previous)}`
          : `nothing cached below ${formatCount(minimum)}`
      const [price, way] = [`request ${formatCount(total)} tokens`, `${provider}, ${strategy}`]
      expect(printed([await nextRequestText(workspace)])).toEqual([
        `${price} = ${parts.join(' + ')} (${way}, words), ${previous === 0 ? 'no request before' : share}`,
      ])
      const facts = [`${price} (words)`, ...(previous === 0 ? [] : [share]), way]
      const size = { columns: 400, rows: 60 }
      const theme = { ascii: true, colour: false }
      const [head = ''] = drawn(
        createElement(Screen, { context, table: TABLE, theme, size }),
        size.columns,
      ).split('\n')
      const shownFacts = head.split(' | ')
      const first = shownFacts.indexOf(facts[0] ?? '')
      expect(shownFacts.slice(first, first + facts.length)).toEqual(facts)
      const page = createPageParts()
      const { header, panels } = await readMoment(workspace, WORDS, page)
      const shownOnPage = page.markup(header).matchAll(/<(?:b|span)>([^]*?)<\/(?:b|span)>/g)
      expect([...shownOnPage].map(([, text = '']) => text).slice(0, facts.length)).toEqual(facts)
      // The parts, on the screen and in the page, in their order.
      const headings = panels.request.slice(0, 3).map((part) => page.markup(part))
      const pane = shown(promptPane, screen)
      for (const [at, part] of next.cost.order.entries()) {
        const count = formatCount(tokens[part])
        expect(headings[at]?.toLowerCase()).toMatch(
          new RegExp(`<h3>${part} [^]*?<i>${count} tokens`),
        )
        const line = pane.find((one) => new RegExp(`${part.toUpperCase()}(?: |$)`).test(one))
        expect(line).toMatch(new RegExp(` ${count}(?: |$)`))
      }
    })
  },
  60_000 + SESSIONS * 2_000,
)

/** Ids take the room of words on the screen. */
const withoutIds = (text: string) =>
  text
    .replaceAll(/ \((?=[\w\-]*\d)[\w\-]{16,}\)/gv, '')
    .replaceAll(/([\da-f]{8})-(?:[\da-f]{4}-){3}[\da-f]{12}/gv, '$1')

test(
  `the timeline: command, JSON, screen and page have the same entries in ${SESSIONS} sessions`,
  async () => {
    let rows = 0
    await inRandomSessions(async (screen) => {
      const entries = await screen.workspace.entries()
      const texts = JSON.parse(jsonText(entries)).map(describeEntry) as readonly string[]
      const events = texts.map((text) => text.slice(text.indexOf(': ') + 2))
      rows += texts.length
      expect(
        shown(timelinePane, screen).map((line) => {
          const [, seq = '', event = ''] =
            /^[> ] +#(\d+) [= ][AB ]? +\d\d:\d\d:\d\d (?:t\d+)? *(\S.*?) {2,}\S+$/.exec(line) ?? [
              line,
            ]
          return `#${seq} ${event}`
        }),
      ).toEqual(events.map((event, seq) => `#${seq} ${sanitiseLine(withoutIds(event))}`))
      const content = {
        session: 'random',
        agent: null,
        entries,
        moments: [],
        parts: createPageParts(),
      }
      const page = writePage({ ...content, differences: new Map() }, null)
      const listed = page.matchAll(
        /<a data-seq="(\d+)"[^]*?<\/time>\s*(?:t\d+ )?([^]*?) <i>([^]*?)<\/i>/g,
      )
      expect(
        [...listed].map(
          ([, seq, event = '', cause = '']) => `#${seq} ${unescape(cause)}: ${unescape(event)}`,
        ),
      ).toEqual(texts.map(sanitiseText))
    })
    console.info(`${rows} entries`)
  },
  60_000 + SESSIONS * 2_000,
)

test(
  `questions: command, JSON, screen and page ask the same in ${SESSIONS} sessions`,
  async () => {
    let rows = 0
    await inRandomSessions(async (screen) => {
      const { workspace, context } = screen
      const calls = [
        ['pay', { to: ['a\u200B', 7] }],
        ['pay', {}],
        ['clock', {}],
        ['asked', {}],
      ]
      for (const [tool, input] of calls) {
        await workspace.callTool(`${tool}`, input, { caller: 'model' })
      }
      const listed = JSON.parse(
        jsonText(rowValues(questionsReport(workspace))),
      ) as typeof workspace.state.confirmations
      rows += listed.length
      expect(listed.every(({ consent }) => consent === 'pending')).toBe(true)
      const seen = (text: string) => sanitiseText(text).replaceAll('\t', '  ')
      const ask = 'waiting for an answer'
      const asked = listed.map((one) => ({
        call: `call of "${one.tool}"${withArguments(one)} (${one.id})`,
        why: seen(describeQuestion(one)),
        given: seen(JSON.stringify(one.arguments, null, 2)),
      }))
      expect(
        workspace.state.confirmations.flatMap((one) => printed(questionReport(ask, one))),
      ).toEqual(
        asked.flatMap(({ call, why }) => [
          `${ask}: ${seen(call)}`,
          ...(why === '' ? [] : why.split('\n').map((line) => `  ${line}`)),
        ]),
      )
      const onPage = await pageRows(screen, 'waiting')
      const onScreen = shown(waitingPane, screen).filter((line) => /^[> ] \? /.test(line))
      expect(onPage.map(({ NAME }) => NAME)).toEqual(listed.map(({ tool }) => tool))
      const time = /\d+ minutes left|until \w+, .* GMT/
      expect(onScreen.map((line) => line.slice(4).replace(time, 'TIME'))).toEqual(
        onPage.map(
          ({ NAME, RISK, LAST = '' }) => `${NAME}  ${RISK}, ${LAST.replace(time, 'TIME')}`,
        ),
      )
      for (const [at, { id }] of listed.entries()) {
        context.ui.setState((state) => changePane(state, 'waiting', { selected: id }))
        const about = (onPage[at]?.about ?? '').split('\n')
        const lines = waitingPane.about?.(context)?.lines ?? []
        const known = (line: string) => line.replace(time, 'TIME')
        expect(lines.slice(-about.length).map(known)).toEqual(about.map(known))
        const { why = '', given = '' } = asked[at] ?? {}
        const words = why || 'Asked by the definition of the tool.'
        expect(about.join('\n').endsWith(`\n${words}\n\nArguments\n${given}`)).toBe(true)
      }
    })
    expect(rows).toBeGreaterThan(0)
    console.info(`${rows} questions`)
  },
  60_000 + SESSIONS * 2_000,
)

/** Returns the rows of a difference on a screen or in a page: tools, sections, and what changed in sections of both. */
function rowsOfLines(lines: readonly string[]): readonly string[] {
  const marks: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '*': 'changed' }
  let section: string | null = null
  return lines.flatMap((line) => {
    const [, title = '', kind = '', from = '', to = ''] =
      /^(\S.*) \((added|removed|changed)\): (\S+) to (\S+) tokens \(/.exec(line) ?? []
    if (title !== '') {
      section = kind
      return [`${kind} section ${title}: ${from} to ${to}`]
    }
    const [, mark = '', text = ''] = /^([+*-]) (.+)$/.exec(line) ?? []
    if (mark === '') return []
    if (section === null) return [`${marks[mark]} tool ${text.replace(/ \(changed\)$/, '')}`]
    return section === 'changed' ? [mark + text] : []
  })
}

/** Returns the rows of a difference that a command prints. */
function rowsOfText(lines: readonly string[]): readonly string[] {
  const marks: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '~': 'changed' }
  let of = 'section'
  return lines.flatMap((line) => {
    if (line === 'Available tools:') of = 'tool'
    if (line.startsWith('Next request')) of = 'section'
    const [, mark = '', name = '', from = '', to = ''] =
      /^([+~-]) (.+) \((\S+) -> (\S+) tokens\)$/.exec(line) ?? []
    if (mark !== '')
      return [`${marks[mark]} ${of} ${name}${of === 'tool' ? '' : `: ${from} to ${to}`}`]
    return of === 'section' && /^ {6}[+-]./.test(line) ? [line.trim()] : []
  })
}

test(
  `the difference: command, JSON, screen and page have the same rows in ${SESSIONS} sessions`,
  async () => {
    let rows = 0
    await inRandomSessions(async (screen) => {
      const { workspace, context, openAt } = screen
      const last = workspace.state.seq
      const first = Math.floor(last / 3)
      const side = (at: number): DiffSide => ({
        kind: 'log',
        label: `random@${at}`,
        catalog: null,
        lock: async () => null,
        session: () => openAt(at),
      })
      const diff = await compareSides(side(first), side(last))
      const { tools, prompt, request } = JSON.parse(jsonText(diff)) as typeof diff
      const wanted = [
        ...(tools ?? []).map(({ what, name }) => `${what} tool ${name}`),
        ...(prompt?.changes ?? []).flatMap(({ kind, title, before, after, lines }) => [
          `${kind} section ${title}: ${before} to ${after}`,
          ...lines.flatMap((one) => {
            const mark = one.kind === 'added' ? '+' : '-'
            const texts = one.text.split('\n').filter((text) => text !== '')
            return kind === 'changed' && one.kind !== 'same' ? texts.map((text) => mark + text) : []
          }),
        ]),
      ]
      rows += wanted.length
      let text = ''
      const stdout = { write: (more: string) => (text += more) }
      await writeDiff(diff, { stdout, colour: false })
      expect(rowsOfText(text.split('\n'))).toEqual(wanted)
      const [before, after] = await Promise.all([context.look(first), context.look(last)])
      const counter = await o200kCounter()
      const difference = await differenceSince(await captureMoment(before), after, counter)
      expect(difference.request).toEqual(request)
      context.ui.setState({ difference: { title: 'Random', ...difference } })
      const onScreen = rowsOfLines(shown(diffPane, screen, 2000))
      // Tools of one kind are in the order of the session there.
      expect([...onScreen].sort()).toEqual([...wanted].sort())
      const parts = createPageParts()
      const moments = [
        await readMoment(before, counter, parts),
        await readMoment(after, counter, parts),
      ]
      const found = findDifferences(moments, counter, parts, new Map())
      const [old, now] = moments.map(({ versions }) => versions)
      const onPage = [...new Set([...(now?.keys() ?? []), ...(old?.keys() ?? [])])].flatMap(
        (key) => {
          const [a, b] = [old?.get(key)?.part, now?.get(key)?.part]
          if (a === b) return []
          if (a !== undefined && b !== undefined) {
            const piece = parts.markup(found.get(`${a} ${b}`) ?? -1)
            const lines = [...piece.matchAll(/<p class="\w+">([^]*?)<\/p>/g)]
            return rowsOfLines(lines.map(([, line = '']) => unescape(line)))
          }
          const piece = parts.markup(a ?? b ?? -1)
          const title = unescape(/<b>([^]*?)<\/b>/.exec(piece)?.[1] ?? '')
          return [`${a === undefined ? 'added' : 'removed'} section ${title}`]
        },
      )
      // A page has the tokens of a whole section by the counter of the session.
      const named = (row: string) => row.replace(/: \d+ to \d+$/, '')
      expect(onPage.map(named).sort()).toEqual(wanted.map(named).sort())
    })
    expect(rows).toBeGreaterThan(0)
    console.info(`${rows} rows of differences`)
  },
  60_000 + SESSIONS * 2_000,
)
