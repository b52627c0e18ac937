import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCatalog, type EventLog, VirtualWorkspace } from '../../../../src/entries/index.ts'
import type { ObservedSession } from '../../../../src/connections/observed/observation.ts'
import { readClaudeCode } from '../../../../src/connections/observed/transcripts/read-claude-code.ts'
import { readCodex } from '../../../../src/connections/observed/transcripts/read-codex.ts'
import { readPi } from '../../../../src/connections/observed/transcripts/read-pi.ts'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'
import type { Line } from './samples.ts'

/** The turns of a session: its own, and those of the session that it left before. */
function turns(sessions: readonly ObservedSession[]) {
  const own = ({ seen }: Pick<ObservedSession, 'seen'>) =>
    seen.flatMap((one) => (one.type === 'turn' ? [one.text] : []))
  const byName = new Map(sessions.map((one) => [one.session, one]))
  const before = ({ seen, forkedFrom }: ObservedSession): ObservedSession['seen'] => {
    const origin = forkedFrom && byName.get(forkedFrom.session)
    return origin
      ? [...before(origin).slice(0, forkedFromEnd(origin, forkedFrom.seen)), ...seen]
      : seen
  }
  const forkedFromEnd = (origin: ObservedSession, seen: number) =>
    before(origin).length - origin.seen.length + seen
  return {
    own: sessions.map(own),
    all: sessions.map((one) => own({ seen: before(one) })),
  }
}

const piHeader: Line = { type: 'session', version: 3, id: 's', cwd: '/project' }

const piLine = (id: string, parentId: string | null): Line => ({
  type: 'message',
  id,
  parentId,
  message: { role: 'user', content: id },
})

const base = { sessionId: 's', cwd: '/project', version: '2.1.328', isSidechain: false }

const claudeLine = (uuid: string, parentUuid: string | null, more: Line = {}): Line => ({
  ...base,
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content: uuid },
  ...more,
})

/** A tree of messages: the entry before each one is an earlier one, or none. */
const anyTree = fc.array(fc.nat(), { minLength: 1, maxLength: 40 }).map((picks) =>
  picks.map((pick, index) => {
    const before = pick % (index + 1)
    return { id: `${index}`, before: before === index ? null : `${before}` }
  }),
)

test('a tree of messages is the session and its branches, each the way to its last message', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const parents = new Map(tree.map(({ id, before }) => [id, before]))
      const wayTo = (last: string): readonly string[] => {
        const before = parents.get(last) ?? null
        return before === null ? [last] : [...wayTo(before), last]
      }
      for (const sessions of [
        readPi([piHeader, ...tree.map(({ id, before }) => piLine(id, before))]),
        readClaudeCode(tree.map(({ id, before }) => claudeLine(id, before))),
      ]) {
        const { own, all } = turns(sessions)
        expect(own.flat().toSorted()).toEqual(tree.map(({ id }) => id).toSorted())
        expect(all).toEqual(all.map((one) => wayTo(one.at(-1) ?? '')))
        expect(all[0]?.at(-1)).toBe(tree.at(-1)?.id)
        const firsts = own.slice(1).map(([first]) => Number(first))
        expect(firsts).toEqual(firsts.toSorted((a, b) => a - b))
        expect(sessions.map(({ session }) => session)).toEqual(
          sessions.map((_, index) => (index === 0 ? 's' : `s-branch-${index}`)),
        )
      }
    }),
  )
})

test('each message of a file whose parents lead anywhere, also in circles, is read once', () => {
  const anyParents = fc.array(fc.option(fc.nat({ max: 24 })), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(anyParents, (parents) => {
      const ids = parents.map((_, index) => `${index}`)
      const before = (index: number) => (parents[index] === null ? null : `${parents[index]}`)
      for (const sessions of [
        readPi([piHeader, ...ids.map((id, index) => piLine(id, before(index)))]),
        readClaudeCode(ids.map((id, index) => claudeLine(id, before(index)))),
      ]) {
        expect(turns(sessions).own.flat().toSorted()).toEqual(ids.toSorted())
      }
    }),
  )
})

const codexTurn = (ordinal: number, message: string): Line => ({
  ordinal,
  type: 'event_msg',
  payload: { type: 'user_message', message },
})

test('turns of Codex are in the session, or in a branch that ends where the person went back', () => {
  const anyStep = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ type: 'turn' } as const) },
    fc.record({ type: fc.constant('rollback' as const), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ type: fc.constant('file' as const), back: fc.integer({ min: 0, max: 6 }) }),
  )
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const lines: Line[] = []
      const header = (history_base?: object) =>
        lines.push({
          ordinal: lines.length,
          type: 'session_meta',
          payload: { id: 's', history_base },
        })
      header()
      let stack: Line[] = []
      const ends: unknown[] = []
      for (const [index, step] of steps.entries()) {
        const isLeft = (line: Line, at: number) =>
          step.type === 'file'
            ? Number(line['ordinal']) < lines.length - step.back
            : step.type === 'turn' || at < stack.length - step.count
        const left = stack.filter(isLeft)
        if (left.length < stack.length) ends.push(stack.map(({ ordinal }) => `${ordinal}`))
        stack = left
        if (step.type === 'turn') {
          const turn = codexTurn(lines.length, `${lines.length}`)
          stack.push(turn)
          lines.push(turn)
        } else if (step.type === 'rollback') {
          const payload = { type: 'thread_rolled_back', num_turns: step.count }
          lines.push({ ordinal: lines.length, type: 'event_msg', payload })
        } else {
          const end = Math.max(0, lines.length - step.back)
          header({ thread_id: `file ${index}`, end_ordinal_exclusive: end })
        }
      }
      const { own, all } = turns(readCodex(lines))
      const said = lines.filter(({ payload }) => JSON.stringify(payload).includes('user_message'))
      expect(own.flat().toSorted()).toEqual(said.map(({ ordinal }) => `${ordinal}`).toSorted())
      expect(all[0]).toEqual(stack.map(({ ordinal }) => `${ordinal}`))
      expect(all.slice(1).toSorted(byText)).toEqual(ends.toSorted(byText))
    }),
  )
})

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}

async function logOf(lines: readonly Line[]): Promise<EventLog> {
  const file = join(await temporaryFolder(), 's.jsonl')
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const log = await readTranscript(file)
  if (log === null) throw new Error('It is a transcript.')
  return log
}

test('a branch has the entries of the session that it left, and is read from any entry to any other', async () => {
  const catalog = await createCatalog({ skills: [] })
  await fc.assert(
    fc.asyncProperty(anyTree, fc.nat(60), fc.nat(60), async (tree, from, last) => {
      const log = await logOf([piHeader, ...tree.map(({ id, before }) => piLine(id, before))])
      for (const { session, version, changedAt, forkedFrom } of await log.list()) {
        const entries = await log.read(session)
        expect(entries.map(({ seq }) => seq)).toEqual([...entries.keys()])
        expect([version, changedAt]).toEqual([entries.length, entries.at(-1)?.at])
        expect(await log.read(session, from, last)).toEqual(entries.slice(from, last + 1))
        if (forkedFrom === undefined) continue
        const left = entries.findLast(({ event }) => event.type === 'session.forked')
        expect(left?.event).toMatchObject({ session, from: { session: forkedFrom } })
        const seq = left?.seq ?? 0
        expect(entries.slice(0, seq)).toEqual(await log.read(forkedFrom, 0, seq - 1))
        const workspace = await VirtualWorkspace.open({ catalog, log, session, readOnly: true })
        expect(workspace.state.forkedFrom).toEqual({ session: forkedFrom, seq: seq - 1 })
        expect(workspace.session).toBe(session)
      }
    }),
    { numRuns: 30 },
  )
})

const claudeAnswer = (uuid: string, parentUuid: string, content: readonly Line[]): Line => {
  const usage = { input_tokens: 10, output_tokens: 3 }
  const message = { id: `m${uuid}`, role: 'assistant', model: 'm', content, usage }
  return { ...base, type: 'assistant', uuid, parentUuid, message }
}

const use = (id: string, name: string, input: Line = {}): Line => ({
  type: 'tool_use',
  id,
  name,
  input,
})

const resultOf = (uuid: string, parentUuid: string, id: string, more: Line = {}): Line =>
  claudeLine(uuid, parentUuid, {
    message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
    ...more,
  })

const eventsOf = async (log: EventLog, session: string) =>
  (await log.read(session)).map(({ event }) => event)

test('a subagent of a part that the person went back from is a child of the branch, with its own branches left out', async () => {
  const own = { isSidechain: true, agentId: 'x' }
  const log = await logOf([
    claudeLine('1', null),
    claudeLine('2', '1'),
    claudeAnswer('3', '2', [use('t', 'Agent', { subagent_type: 'Explore' })]),
    claudeLine('x1', null, own),
    { ...claudeAnswer('x2', 'x1', []), ...own },
    resultOf('4', '3', 't', { toolUseResult: { agentId: 'x' } }),
    claudeLine('5', '1'),
  ])
  const [opening] = await eventsOf(log, 's-x')
  expect(opening).toMatchObject({ parent: { session: 's-branch-1', call: 't' } })
  const branch = (await eventsOf(log, 's-branch-1')).map(({ type }) => type)
  expect(branch).toEqual(expect.arrayContaining(['child.opened', 'child.ended']))
  const main = (await eventsOf(log, 's')).map(({ type }) => type)
  expect(main).not.toContain('child.opened')
})

test('a call that runs where a branch leaves is abandoned in it, unless the branch has its result', async () => {
  const log = await logOf([
    claudeLine('1', null),
    claudeAnswer('2', '1', [use('a', 'Read'), use('b', 'Read')]),
    claudeLine('3', '2'),
    resultOf('4', '3', 'b'),
    resultOf('5', '2', 'a'),
    resultOf('6', '5', 'b'),
    claudeLine('7', '6'),
  ])
  const branch = await eventsOf(log, 's-branch-1')
  expect(branch).toContainEqual({ type: 'call.abandoned', call: 'a', tool: 'Read' })
  expect(branch).not.toContainEqual(expect.objectContaining({ type: 'call.abandoned', call: 'b' }))
  expect(branch).toContainEqual(expect.objectContaining({ type: 'call.ended', call: 'b' }))
})

test('a branch has a skill that only it loaded, and the session does not', async () => {
  const log = await logOf([
    claudeLine('1', null),
    claudeLine('2', '1'),
    claudeAnswer('3', '2', [use('t', 'Skill', { skill: 'tidy' })]),
    resultOf('4', '3', 't', { toolUseResult: { commandName: 'tidy' } }),
    claudeLine('5', '4', {
      isMeta: true,
      sourceToolUseID: 't',
      message: { content: 'Base directory for this skill: /p/tidy\n\nTidy.' },
    }),
    claudeLine('6', '1'),
  ])
  const catalogs = async (session: string) =>
    (await eventsOf(log, session)).flatMap((event) =>
      event.type === 'session.opened' || event.type === 'catalog.taken' ? [event.catalog] : [],
    )
  const [main, branch] = [await catalogs('s'), await catalogs('s-branch-1')]
  expect(branch).toEqual([main[0], expect.not.stringContaining(main[0] ?? '')])
  const listings = await log.definitions.get(branch)
  const [before, after] = branch.map((hash) => JSON.stringify(listings.get(hash)))
  expect([before?.includes('tidy'), after?.includes('tidy')]).toEqual([false, true])
})

test('a branch that left before a compaction does not have it, and one that left after it does', async () => {
  const log = await logOf([
    claudeLine('1', null),
    claudeLine('2', '1'),
    claudeLine('3', '1'),
    {
      ...base,
      type: 'system',
      subtype: 'compact_boundary',
      uuid: '4',
      parentUuid: null,
      logicalParentUuid: '3',
      compactMetadata: { preTokens: 9 },
    },
    claudeLine('5', '4', { isCompactSummary: true }),
    claudeLine('6', '5'),
    claudeLine('7', '5'),
  ])
  const compacted = async (session: string) =>
    (await eventsOf(log, session)).filter(({ type }) => type === 'session.compacted').length
  expect(await Promise.all(['s', 's-branch-1', 's-branch-2'].map(compacted))).toEqual([1, 0, 1])
})

test('a part without a message, such as another model that was chosen, is no branch', () => {
  const model: Line = { type: 'model_change', id: 'm', parentId: '1', modelId: 'x' }
  const sessions = readPi([piHeader, piLine('1', null), model, piLine('2', '1')])
  expect(sessions.map(({ session }) => session)).toEqual(['s'])
})

test('an answer that goes on after a branch left it is counted once', () => {
  const part = (uuid: string, parent: string, content: readonly Line[]): Line => {
    const line = claudeAnswer(uuid, parent, content)
    return { ...line, message: { ...(line['message'] as Line), id: 'one' } }
  }
  const sessions = readClaudeCode([
    claudeLine('1', null),
    part('2', '1', [use('a', 'Read')]),
    claudeLine('3', '2'),
    part('4', '2', [use('b', 'Read')]),
    claudeLine('5', '4'),
  ])
  const [main, branch] = sessions.map(({ seen }) => seen.map(({ type }) => type))
  expect(main).toEqual(['turn', 'request', 'call', 'answer', 'call', 'turn'])
  expect(branch).toEqual(['turn'])
  expect(sessions[1]?.forkedFrom).toEqual({ session: 's', seen: 3 })
})

test.each([
  ['back to one message', (index: number) => `${index % 2 === 0 ? index - 1 : 0}`],
  ['each one inside of the one before', (index: number) => `${Math.max(0, index - 2)}`],
])('of thousands of parts, %s, the first thousand are branches', async (_, before) => {
  const lines = Array.from({ length: 6_000 }, (_line, index) =>
    piLine(`${index}`, index === 0 ? null : before(index)),
  )
  const log = await logOf([piHeader, ...lines])
  const sessions = await log.list()
  expect(sessions.length).toBeLessThanOrEqual(1_001)
  for (const { session, version } of sessions.slice(-3)) {
    expect(await log.read(session)).toHaveLength(version)
  }
})
