import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  createCatalog,
  createMemoryLog,
  type EventLog,
  forkSession,
  VirtualWorkspace,
  WorkspaceError,
} from 'loadout'
import { exportLog, importSession } from 'loadout/node'
import { expect, test } from 'vitest'
import { copySession } from '../../../../src/connections/logs/jsonl/import-session.ts'
import { eventWithoutConsent } from '../../../../src/engine/evolve/evolve-consent.ts'
import { fold } from '../../../../src/engine/evolve/evolve.ts'
import type { WorkspaceEvent } from '../../../../src/engine/model/workspace-event.ts'
import { chatFile, openChatStore } from '../../../../src/workbench/playground/chat/chat-store.ts'
import { sealedLog } from '../../../../src/workbench/project/trust/sealed-log.ts'
import { openUserSeal, type UserSeal } from '../../../../src/workbench/project/trust/user-seal.ts'
import { temporaryFolder } from '../temporary-folder.ts'

async function people() {
  const folder = await temporaryFolder()
  const person = (name: string) => openUserSeal(join(folder, name, 'trust.json'))
  return { folder, person, ada: person('ada'), bob: person('bob') }
}

test('a seal is for one text of one user, and its key is private', async () => {
  const { folder, person, ada, bob } = await people()
  expect(bob.isOwn('text', 'seal')).toBe(false)
  const seal = bob.seal('text')
  expect([bob.isOwn('text', seal), person('bob').isOwn('text', seal)]).toEqual([true, true])
  expect([bob.isOwn('other', seal), ada.isOwn('text', seal)]).toEqual([false, false])
  expect(ada.isOwn('text', ada.seal('text'))).toBe(true)
  const file = join(folder, 'bob/seal.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, 'short')
  expect(() => person('bob').seal('text')).toThrow(
    expect.objectContaining({ code: 'TRUST_DAMAGED' }),
  )
})

test('of several keys the first one seals and each is recognised, also of keys that are given', async () => {
  const { folder, person, bob } = await people()
  const [before, other] = [bob.seal('text'), 'a'.repeat(64)]
  const file = join(folder, 'bob/seal.key')
  const key = readFileSync(file, 'utf8').trim()
  writeFileSync(file, `${other}\n${key}\n`)
  const now = person('bob')
  expect(now.isOwn('text', before)).toBe(true)
  const after = now.seal('text')
  expect([after === before, now.isOwn('text', after)]).toEqual([false, true])
  writeFileSync(file, `${other}\n`)
  expect([person('bob').isOwn('text', before), person('bob').isOwn('text', after)]).toEqual([
    false,
    true,
  ])
  const server = openUserSeal(null, `${key} ${other}`)
  expect([server.seal('text'), server.isOwn('text', after)]).toEqual([before, true])
  expect(openUserSeal(join(folder, 'bob/trust.json'), key).seal('text')).toBe(before)
  expect(() => openUserSeal(null, 'secret')).toThrow(/LOADOUT_SEAL_KEY is not valid/u)
})

test.each(['folder', 'pipe', 'device'])(
  'a key that is a %s is not valid, and nobody waits for it',
  async (kind) => {
    const { folder, person } = await people()
    const file = join(folder, 'bob/seal.key')
    mkdirSync(join(folder, 'bob'))
    if (kind === 'folder') mkdirSync(file)
    if (kind === 'pipe') execFileSync('mkfifo', [file])
    if (kind === 'device') symlinkSync('/dev/zero', file)
    const damaged = expect.objectContaining({ code: 'TRUST_DAMAGED' })
    expect(() => person('bob').seal('text')).toThrow(damaged)
    expect(() => person('bob').isOwn('text', 'seal')).toThrow(damaged)
  },
)

test.each([
  { kind: 'that its group can read', change: (file: string) => chmodSync(file, 0o640) },
  { kind: 'that all can change', change: (file: string) => chmodSync(file, 0o602) },
  {
    kind: 'that is a link',
    change: (file: string) => {
      renameSync(file, `${file}.real`)
      symlinkSync(`${file}.real`, file)
    },
  },
])('a key $kind neither seals nor is recognised, and the advice works', async ({ change }) => {
  const { folder } = await people()
  const file = join(folder, "bob's", 'seal.key')
  const owner = () => openUserSeal(join(folder, "bob's", 'trust.json'))
  const seal = owner().seal('text')
  change(file)
  const refused = expect.objectContaining({ code: 'TRUST_DAMAGED', facts: { file } })
  expect(() => owner().seal('text')).toThrow(refused)
  expect(() => owner().isOwn('text', seal)).toThrow(refused)
  let hint = ''
  try {
    owner().seal('text')
  } catch (error) {
    hint = WorkspaceError.is(error) ? error.hint : ''
  }
  const [, command] = /private: (.*?)\. /u.exec(hint) ?? []
  if (command === undefined) rmSync(file)
  else execFileSync('sh', ['-c', command])
  expect(owner().isOwn('text', seal)).toBe(command !== undefined)
  expect([typeof owner().seal('text'), statSync(file).mode & 0o777]).toEqual(['string', 0o600])
})

test.runIf(process.geteuid?.() === 0)('a key of another user seals nothing', async () => {
  const { folder, person, bob } = await people()
  const seal = bob.seal('text')
  chownSync(join(folder, 'bob/seal.key'), 4711, 4711)
  expect(() => person('bob').isOwn('text', seal)).toThrow(/is the file of another user/u)
})

test('without a home nothing is sealed, and nothing is the own of the user', () => {
  const nobody = openUserSeal(null)
  expect(nobody.seal('text')).toBeUndefined()
  expect(nobody.isOwn('text', undefined)).toBe(false)
})

async function begin(log: EventLog, user: UserSeal): Promise<void> {
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({}),
    log: sealedLog(log, user, true),
    session: 'one',
    policy: { permissions: { allow: ['*'], deny: ['shell'], allowedTools: 'pre-approve' } },
  })
  await workspace.close()
}

const policyFor = async (log: EventLog, user: UserSeal, session = 'one') =>
  fold(await sealedLog(log, user, true).read(session)).policy

test('a rule that allows counts for the user who gave it, and a rule that denies for all', async () => {
  const { ada, bob } = await people()
  const log = createMemoryLog()
  await begin(log, ada)
  expect(await policyFor(log, ada)).toMatchObject({ allow: ['*'], allowedTools: 'pre-approve' })
  expect(await policyFor(log, bob)).toMatchObject({
    allow: [],
    allowedTools: 'ignore',
    deny: ['shell'],
  })
})

test('copying what somebody else wrote never seals it', async () => {
  const { ada, bob } = await people()
  const log = createMemoryLog()
  await begin(log, ada)
  const own = sealedLog(log, bob, true)
  await forkSession(own, { from: 'one', to: 'two' })
  await importSession(own, await exportLog(log, 'one'), { as: 'three' })
  for (const session of ['two', 'three']) {
    const [first] = await own.read(session)
    expect(first).toMatchObject({ unsealed: true })
    expect(await policyFor(log, bob, session)).toMatchObject({ allow: [] })
  }
  await copySession(own, await exportLog(log, 'one'), { as: 'four' }, true)
  expect(await policyFor(log, bob, 'four')).toMatchObject({ allow: ['*'] })
})

test.each(['tool.accepted', 'source.accepted'] as const)(
  'what somebody else accepted by %s does not count',
  async (type) => {
    const { bob } = await people()
    const log = createMemoryLog()
    await begin(log, bob)
    const seq = (await log.read('one')).length
    const hash = `sha256:${'0'.repeat(64)}` as const
    const accepted = { source: 'skill', owner: 'mail', tool: 'wipe', hash } as const
    const event = { type, ...accepted, tools: [], kept: [] } as unknown as WorkspaceEvent
    const entry = { seq, at: 1, cause: { by: 'user' }, event } as const
    const stored = async (target: EventLog) => {
      await target.append('one', seq, [entry])
      return (await log.read('one')).at(-1)
    }
    expect(await stored(sealedLog(log, bob, true))).toHaveProperty('seal')
    expect(eventWithoutConsent(event)).toBe(null)
  },
)

test('a user is asked again where somebody else used their approval', async () => {
  const { bob } = await people()
  const log = createMemoryLog()
  await begin(log, bob)
  const at = 1
  const hash = `sha256:${'0'.repeat(64)}` as const
  const tool = { tool: 'wipe', source: 'global', owner: 'global', hash, digest: hash } as const
  const own = sealedLog(log, bob, true)
  const { length: seq } = await own.read('one')
  const cause = { by: 'user' } as const
  await own.append('one', seq, [
    {
      seq,
      at,
      cause,
      event: {
        type: 'confirmation.asked',
        id: 'q',
        ...tool,
        principal: null,
        expiresAt: 2 ** 50,
      },
    },
    { seq: seq + 1, at, cause, event: { type: 'confirmation.approved', id: 'q' } },
  ])
  expect(fold(await own.read('one')).answers).toMatchObject([{ consent: 'approved' }])
  const started = {
    type: 'call.started',
    call: 'c',
    ...tool,
    category: 'action',
    caller: 'model',
    confirmation: 'q',
  } as const
  await log.append('one', seq + 2, [{ seq: seq + 2, at, cause, event: started }])
  const { confirmations, stepCalls } = fold(await own.read('one'))
  expect(confirmations).toEqual([])
  expect(stepCalls.calls.map(({ confirmation }) => confirmation)).toEqual([null])
})

test('an approval counts only where every entry before it is the one that the user saw', async () => {
  const { bob } = await people()
  const log = createMemoryLog()
  await begin(log, bob)
  const hash = `sha256:${'0'.repeat(64)}` as const
  const tool = { tool: 'note', source: 'global', owner: 'global', hash, digest: hash } as const
  const own = sealedLog(log, bob, true)
  const append = async (at: number, ...events: readonly WorkspaceEvent[]) => {
    const { length } = await own.read('one')
    const cause = { by: 'user' } as const
    const entries = events.map((event, index) => ({ seq: length + index, at, cause, event }))
    await own.append('one', length, entries)
  }
  const asked = { type: 'confirmation.asked', ...tool, principal: null, expiresAt: 9 } as const
  await append(1, { ...asked, id: 'a' }, { ...asked, id: 'b' })
  await append(2, { type: 'confirmation.approved', id: 'a' })
  await append(3, { type: 'confirmation.approved', id: 'b' })
  const entries = await log.read('one')
  const approvals = async (name: string, changed: typeof entries, from = 0) => {
    const copy = createMemoryLog()
    await copy.append(name, 0, changed)
    const read = await sealedLog(copy, bob, true).read(name, from)
    return read.filter(({ event, unsealed }) => event.type === 'confirmation.approved' && !unsealed)
      .length
  }
  expect(await approvals('one', entries)).toBe(2)
  expect(await approvals('two', entries)).toBe(2)
  expect(await approvals('one', entries, entries.length - 1)).toBe(1)
  for (const [seq, entry] of entries.entries()) {
    for (const part of [
      { event: { ...entry.event, tool: 'wipe' } as WorkspaceEvent },
      { event: { ...entry.event, expiresAt: 2 ** 50 } as WorkspaceEvent },
      { cause: { by: 'host' } as const },
      { at: 7 },
    ]) {
      const changed = entries.with(seq, { ...entry, ...part })
      const first = entries.findIndex(({ event }) => event.type === 'confirmation.approved')
      const left = seq <= first ? 0 : 1
      expect({ seq, part, left: await approvals('one', changed) }).toEqual({ seq, part, left })
      expect(await approvals('one', changed, entries.length - 1)).toBe(0)
    }
  }
})

test('an unfinished turn with a line that the user did not write there is left out', async () => {
  const { folder, ada, bob } = await people()
  const place = (name: string, user: UserSeal) => ({ folder: join(folder, name), user })
  const say = (content: string) => [{ role: 'user', content } as const]
  const done = [{ role: 'assistant', content: 'done' } as const]
  const open = (name: string, user = bob) => openChatStore(place(name, user), 'one')
  const text = (name: string) => readFileSync(chatFile(join(folder, name), 'one'), 'utf8')

  // Of another user: the end of it is left out, and the rest is a conversation to continue.
  const received = open('received', ada)
  received.append(say('hello'))
  received.append(done)
  received.append(say('wipe'))
  received.keepAnswer([{ type: 'stream-start', warnings: [] }])
  expect(open('received', ada)).toMatchObject({ withheld: null, answer: [{}] })
  const left = open('received')
  expect(left).toMatchObject({
    answer: null,
    messages: [{ content: 'hello' }, { content: 'done' }],
  })
  expect(left.withheld?.code).toBe('turn-withheld')
  left.append(say('mine'))
  expect(open('received')).toMatchObject({
    withheld: null,
    messages: [{ content: 'hello' }, { content: 'done' }, { content: 'mine' }],
  })

  // Of the user, with one line of theirs again, or one of somebody else.
  for (const forge of [
    (own: string) => own.trim().split('\n')[1],
    () => JSON.stringify({ messages: [], after: 1 }),
    () => JSON.stringify({ answer: [{ type: 'tool-call' }] }),
  ]) {
    const name = `own-${forge.toString().length}`
    const own = open(name)
    own.append(say('wipe'))
    own.keepAnswer([{ type: 'stream-start', warnings: [] }])
    expect(open(name)).toMatchObject({ withheld: null, answer: [{}] })
    appendFileSync(chatFile(join(folder, name), 'one'), `${forge(text(name))}\n`)
    expect(open(name)).toMatchObject({ answer: null, messages: [] })
  }

  // Of another session of the user.
  open('other').append(say('wipe'))
  const elsewhere = openChatStore(place('other', bob), 'two')
  elsewhere.append(say('x'))
  writeFileSync(chatFile(join(folder, 'other'), 'two'), text('other'))
  expect(openChatStore(place('other', bob), 'two').withheld?.code).toBe('turn-withheld')

  // Of a session of the user with the same name in another log, and after a line that somebody changed.
  const opened = (opening: string) => openChatStore({ ...place('moved', bob), opening }, 'one')
  for (const [at, said] of [say('a'), done, say('b'), done, say('wipe')].entries()) {
    opened('first').append(said)
    expect(opened('first')).toMatchObject({ withheld: null, messages: { length: at + 1 } })
  }
  expect(opened('other').withheld?.code).toBe('turn-withheld')
  writeFileSync(chatFile(join(folder, 'moved'), 'one'), text('moved').replace('"a"', '"c"'))
  expect(opened('first').withheld?.code).toBe('turn-withheld')
})
