import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportLines, exportLog } from '../../../../src/connections/logs/jsonl/export-lines.ts'
import { importLog } from '../../../../src/connections/logs/jsonl/import-session.ts'
import type { Entry } from '../../../../src/engine/model/workspace-event.ts'
import { contentHash, textHash } from '../../../../src/kernel/content-hash.ts'
import { createMemoryLog } from '../../../../src/workspace/log/memory-log.ts'
import type { EventLog } from '../../../../src/workspace/log/event-log.ts'
import { someEntries } from '../../../../src/connections/logs/contract/event-log-case.ts'

const tool = { name: 'search', description: 'Finds.' }
const skill = { name: 'research', tools: [contentHash(tool)], body: textHash('body') }
const opened: Entry = {
  seq: 0,
  at: 1,
  cause: { by: 'user' },
  event: {
    type: 'source.opened',
    source: 'skill',
    owner: 'research',
    definition: contentHash(skill),
    claims: [],
    lifetime: 'session',
    requested: true,
  },
}

async function sample(): Promise<ReturnType<typeof createMemoryLog>> {
  const log = createMemoryLog()
  for (const value of [tool, skill, { name: 'unused' }]) {
    await log.definitions.put(contentHash(value), value)
  }
  await log.append('s1', 0, [opened])
  return log
}

test('an export is text a person can read', async () => {
  expect(await exportLog(await sample(), 's1')).toMatchInlineSnapshot(`
    "{"loadout":"log","format":2,"session":"s1","sum":"fa9c3acde04bc02d"}
    {"definition":{"hash":"sha256:9ec55f12e57baca52723c61204055ba716dbd1c0debe77bd47930738f31615e0","value":{"name":"research","tools":["sha256:0bf85dee49c09a761bc89b8805d6bfa3d09a147e71b673c49295975b89fb2b41"],"body":"sha256:230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5"}},"sum":"1f78223ce34b576a"}
    {"definition":{"hash":"sha256:0bf85dee49c09a761bc89b8805d6bfa3d09a147e71b673c49295975b89fb2b41","value":{"name":"search","description":"Finds."}},"sum":"2dd5dcfde0f90121"}
    {"entry":{"seq":0,"at":1,"format":2,"cause":{"by":"user"},"event":{"type":"source.opened","source":"skill","owner":"research","definition":"sha256:9ec55f12e57baca52723c61204055ba716dbd1c0debe77bd47930738f31615e0","claims":[],"lifetime":"session","requested":true}},"sum":"98a07321f764daf8"}
    "
  `)
})

test('an export has no character that controls a terminal, and imports as the same', async () => {
  const log = createMemoryLog()
  const odd = { name: 'odd', description: 'a\u202eb\u009bc\u0085d\u007fe\u{e0041}f\u200b' }
  await log.definitions.put(contentHash(odd), odd)
  await log.append('s1', 0, [
    { ...opened, event: { ...opened.event, definition: contentHash(odd) } as Entry['event'] },
  ])
  const text = await exportLog(log, 's1')
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(importLog(text).definitions.get(contentHash(odd))).toEqual(odd)
})

test('an export has the definitions its entries name, and those these name', async () => {
  const { session, entries, definitions } = importLog(await exportLog(await sample(), 's1'))
  expect(session).toBe('s1')
  expect(entries).toEqual([opened])
  expect([...definitions]).toEqual([
    [contentHash(skill), skill],
    [contentHash(tool), tool],
  ])
})

test('any session comes back from its export, and exports to the same text again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.nat(5),
      fc.string(),
      async (session, count, note) => {
        const log = createMemoryLog()
        await log.append(session, 0, someEntries(0, count + 1, note))
        const text = await exportLog(log, session)
        const read = importLog(text)
        expect(read).toMatchObject({
          session,
          entries: someEntries(0, count + 1, note),
          notices: [],
        })
        const copy = createMemoryLog()
        for (const [hash, value] of read.definitions) await copy.definitions.put(hash, value)
        await copy.append(session, 0, read.entries)
        expect(await exportLog(copy, session)).toBe(text)
      },
    ),
    { numRuns: 50 },
  )
})

test('a session nobody knows cannot be exported', async () => {
  await expect(exportLog(await sample(), 's2')).rejects.toMatchObject({ code: 'LOG_EMPTY' })
})

test.each([
  { what: 'deleted', then: async () => undefined },
  {
    what: 'deleted and started again',
    then: (log: EventLog) => log.append('s1', 0, someEntries(0, 2_500, 'anew')),
  },
])('an export ends with an error when its session is $what meanwhile', async ({ then }) => {
  const log = createMemoryLog()
  await log.append('s1', 0, someEntries(0, 2_500))
  const lines = exportLines(log, 's1')
  await lines.next()
  await log.delete('s1')
  await then(log)
  const rest = async () => {
    for await (const line of lines) expect(line).not.toContain('anew')
  }
  await expect(rest()).rejects.toMatchObject({
    code: 'SESSION_REPLACED',
    message: 'Session "s1" changed during the export.',
    facts: { session: 's1', seq: 999 },
    hint: 'It was deleted, cut or replaced meanwhile: export it again.',
  })
})

test('an import survives line ends that became CRLF', async () => {
  const text = await exportLog(await sample(), 's1')
  expect(importLog(text.replaceAll('\n', '\r\n'))).toEqual(importLog(text))
})

test('an import that was cut short says so', async () => {
  const text = await exportLog(await sample(), 's1')
  const { entries, notices } = importLog(text.slice(0, -10))
  expect(entries).toEqual([])
  expect(notices).toMatchObject([{ code: 'log-unfinished-append', severity: 'warning', line: 4 }])
})

test('an import that was changed is refused', async () => {
  const text = await exportLog(await sample(), 's1')
  expect(() => importLog(text.replace('"by":"user"', '"by":"host"'))).toThrow(
    expect.objectContaining({
      code: 'LOG_DAMAGED',
      facts: expect.objectContaining({ line: 4, lastGoodSeq: -1 }) as object,
    }),
  )
})

test('empty text is an empty log', () => {
  expect(importLog('')).toMatchObject({ session: null, entries: [] })
})
