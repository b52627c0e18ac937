import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from './run-command.ts'

/** Two turns of Claude Code: the second one calls a tool, and passes over the skill that the person meant. */
const LINES = [
  user('u1', null, 'Say hello.'),
  attachment('a1', 'u1', {
    type: 'skill_listing',
    isInitial: true,
    content: '- tidy-notes: Sorts notes by date.\n- shop:refund\n- shop-refund: Pays back.',
    names: ['tidy-notes', 'shop:refund', 'shop-refund'],
  }),
  attachment('a2', 'a1', {
    type: 'prompt_snapshot',
    systemPrompt: ['You are a coder.', 'It is Monday.'],
    tools: [
      { name: 'Read', schema: tool('Read', 'Reads a file.') },
      { name: 'Bash', schema: tool('Bash', 'Runs a command.') },
    ],
  }),
  assistant('s1', 'a2', 'm1', [{ type: 'text', text: 'Hello.' }], 1_000),
  user('u2', 's1', 'Sort my notes by date, please.'),
  assistant('s2', 'u2', 'm2', [call('c1', 'Read', { file_path: '/notes' })], 1_200),
  result('r1', 's2', 'c1', 'b, a'),
  assistant('s3', 'r1', 'm3', [call('c2', 'Bash', { command: 'rm notes' })], 1_300),
  { ...result('r2', 's3', 'c2', 'The user said no.'), permissionDecision: { decision: 'reject' } },
  assistant('s4', 'r2', 'm4', [{ type: 'text', text: 'Sorted: a, b.' }], 1_400),
]

function line(uuid: string, parentUuid: string | null) {
  const about = { sessionId: 's', version: '2.1.0', cwd: '/shop', isSidechain: false }
  return { uuid, parentUuid, timestamp: '2026-11-01T10:00:00.000Z', ...about }
}

function user(uuid: string, parent: string | null, content: unknown) {
  return { ...line(uuid, parent), type: 'user', message: { role: 'user', content } }
}

function result(uuid: string, parent: string, id: string, content: string) {
  return user(uuid, parent, [{ type: 'tool_result', tool_use_id: id, content }])
}

function attachment(uuid: string, parent: string, about: object) {
  return { ...line(uuid, parent), type: 'attachment', attachment: about }
}

function assistant(uuid: string, parent: string, id: string, content: unknown, input: number) {
  const usage = { input_tokens: 100, cache_read_input_tokens: input - 100, output_tokens: 5 }
  const message = { id, role: 'assistant', model: 'claude-opus-5', content, usage }
  return { ...line(uuid, parent), type: 'assistant', message }
}

function tool(name: string, description: string) {
  return { name, description, input_schema: { type: 'object', properties: {} } }
}

function call(id: string, name: string, input: object) {
  return { type: 'tool_use', id, name, input }
}

const cwd = mkdtempSync(join(tmpdir(), 'loadout-observed-'))
const file = join(cwd, 'claude.jsonl')
writeFileSync(file, LINES.map((one) => `${JSON.stringify(one)}\n`).join(''))

async function output(...argv: readonly string[]) {
  const { stdout, stderr, code } = await runCommand([...argv, '--log', file], { cwd })
  return { stdout, stderr, code }
}

describe('the transcript of another agent is a session', () => {
  test('that every command names', async () => {
    const { stderr } = await output('tools')
    expect(stderr).toContain(
      'A session of claude-code 2.1.0 in /shop, as its transcript or recording has it.',
    )
  })

  test('whose tools and last request are those that the provider got', async () => {
    const { stdout } = await output('tools')
    expect(stdout).toMatch(/Read +agent +sent/u)
    expect(stdout).toContain('OBSERVED claude-code 2.1.0, request 4: 1,400 tokens, 1,300 cached')
  })

  test('whose prompt has the texts of the agent, and none of Loadout', async () => {
    const { stdout } = await output('prompt')
    expect(stdout.trim()).toBe('You are a coder.\n\nIt is Monday.')
  })

  test('in which a skill was shown and passed over', async () => {
    const { stdout } = await output('why', 'tidy-notes')
    expect(stdout).toContain(
      'shown to the model in all 4 requests, at place 1 of 3, as "Sorts notes by date."',
    )
    expect(stdout).toContain(
      'passed over in turn 2 ("Sort my notes by date, please."): the model used Read; by search, its description is at place 1 of 3 for these words',
    )
  })

  test('in which a skill of the client itself was passed over, though no folder has it', async () => {
    const own = join(cwd, 'here.jsonl')
    const lines = LINES.map((one) => JSON.stringify({ ...one, cwd }))
    writeFileSync(own, lines.join('\n'))
    const { stdout } = await runCommand(['why', 'tidy-notes', '--log', own], { cwd, home: cwd })
    expect(stdout).toContain('passed over in claude-code: The model was shown it, and used others.')
    expect(stdout).toContain('fix: Write /tidy-notes, or say in the description when to use it.')
    const nowhere = await runCommand(['why', 'nowhere', '--log', own], { cwd, home: cwd })
    expect(nowhere).toMatchObject({ code: 1, stdout: expect.stringContaining('not found in') })
  })

  test('that another machine reads in an export of it, and imports', async () => {
    const out = join(cwd, 'exported.jsonl')
    expect(await output('sessions', 'export', 's', '--out', out)).toMatchObject({ code: 0 })
    const log = join(cwd, 'imported.sqlite')
    const imported = await runCommand(['sessions', 'import', out, '--log', log], { cwd })
    expect(imported).toMatchObject({ code: 0 })
    const { stdout } = await output('why', 'tidy-notes')
    for (const other of [out, log]) {
      expect(await runCommand(['why', 'tidy-notes', '--log', other], { cwd })).toMatchObject({
        stdout,
      })
    }
  })

  test('in which the model had the name of a skill alone', async () => {
    const { stdout } = await output('why', 'shop:refund')
    expect(stdout).toContain('shown to the model by its name alone in all 4 requests')
  })

  test('in which two skills have names that are one here', async () => {
    const { stdout } = await output('why', 'shop-refund')
    expect(stdout).toContain('at place 3 of 3, as "Pays back."')
    const { stdout: list } = await output('skills', '--json')
    const named = JSON.parse(list) as { skills: { displayName?: string; name: string }[] }
    expect(JSON.stringify(named)).toContain('shop-refund-2')
  })

  test('in which a call was refused', async () => {
    const { stdout } = await output('why', 'Bash')
    expect(stdout).toContain('REFUSED call.start "Bash" (DENIED): The user said no.')
    expect(stdout).not.toContain('"Bash" called')
  })

  test('whose requests are compared, and counted by the provider', async () => {
    const { stdout } = await output('replay', '--losses')
    expect(stdout).toMatch(/step 2 \(observed\): request \d+, kept (\d+) of \1\n/u)
    expect(stdout).toContain('reported by claude-opus-5: 1,200 input, 1,100 cached')
  })

  test('in which a line of the prompt, and a tool of a server, lost the cache', async () => {
    const changed = join(cwd, 'changed.jsonl')
    const shown = (id: string, parent: string, day: string, more: readonly object[]) =>
      attachment(id, parent, {
        type: 'prompt_snapshot',
        systemPrompt: ['You are a coder.', `It is ${day}.`],
        tools: [tool('Read', 'Reads a file.'), ...more].map((schema) => ({ schema })),
      })
    const lines = [
      user('u1', null, 'Say hello.'),
      shown('a1', 'u1', 'Monday', []),
      assistant('s1', 'a1', 'm1', [{ type: 'text', text: 'Hello.' }], 1_000),
      user('u2', 's1', 'Again.'),
      shown('a2', 'u2', 'Tuesday', []),
      assistant('s2', 'a2', 'm2', [{ type: 'text', text: 'Hello.' }], 100),
      user('u3', 's2', 'Again.'),
      shown('a3', 'u3', 'Tuesday', [tool('mcp__stock__count', 'Counts.')]),
      assistant('s3', 'a3', 'm3', [{ type: 'text', text: 'Hello.' }], 100),
    ]
    writeFileSync(changed, lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const { stdout } = await runCommand(['replay', '--losses', '--log', changed], { cwd })
    expect(stdout).toContain(
      'LOST: Line 3 of "System prompt" changed: "It is Monday." became "It is Tuesday."',
    )
    expect(stdout).toContain('LOST: The tool "mcp__stock__count" of "stock" was added.')
    const json = await runCommand(['replay', '--losses', '--json', '--log', changed], { cwd })
    expect(JSON.parse(json.stdout)).toMatchObject({
      losses: [
        { step: 2, segment: 'instructions', owner: null },
        { step: 3, segment: 'tools', part: 'mcp__stock__count', owner: 'stock' },
      ],
    })
  })

  test('whose subagents are child sessions of the calls that began them', async () => {
    const parent = join(cwd, 'parent.jsonl')
    const own = { isSidechain: true, agentId: 'x' }
    const lines = [
      user('u1', null, 'Look at it.'),
      assistant('s1', 'u1', 'm1', [call('t', 'Agent', { subagent_type: 'Explore' })], 1_000),
      { ...user('x1', null, 'Look.'), ...own },
      { ...assistant('x2', 'x1', 'xm', [{ type: 'text', text: 'Found.' }], 500), ...own },
      { ...result('r1', 's1', 't', 'Found.'), toolUseResult: { agentId: 'x' } },
      assistant('s2', 'r1', 'm2', [{ type: 'text', text: 'It is there.' }], 1_000),
    ]
    writeFileSync(parent, lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const run = async (...argv: readonly string[]) =>
      (await runCommand([...argv, '--log', parent], { cwd })).stdout
    expect(await run('sessions', 'list')).toMatch(/^s .*\n└─ s-x /mu)
    expect(await run('sessions', 'show', 's-x')).toContain('child of s,')
    const shown = await run('sessions', 'show', 's')
    expect(shown).toContain(
      'by the model (call t): child session "s-x" opened for the agent "Explore"',
    )
    expect(shown).toContain('child session "s-x" ended, after 1 step')
    expect(await run('replay', '--losses')).toContain('Child sessions: 1 request')
  })

  test('whose parts that the person went back from are forks, with the subagents that they called', async () => {
    const rewound = join(cwd, 'rewound.jsonl')
    const own = { isSidechain: true, agentId: 'x' }
    const lines = [
      ...LINES,
      user('u3', 's4', 'Ask somebody.'),
      assistant(
        's5',
        'u3',
        'm5',
        [call('t', 'Agent', {}), call('k', 'Skill', { skill: 'tidy-notes' })],
        1_500,
      ),
      { ...user('x1', null, 'Look.'), ...own },
      { ...result('r3', 's5', 't', 'Found.'), toolUseResult: { agentId: 'x' } },
      { ...result('r4', 'r3', 'k', 'Loaded.'), toolUseResult: { commandName: 'tidy-notes' } },
      {
        ...user('l1', 'r4', 'Base directory for this skill: /p\n\nSort.'),
        isMeta: true,
        sourceToolUseID: 'k',
      },
      user('u4', 's4', 'Thanks.'),
    ]
    writeFileSync(rewound, lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const run = async (...argv: readonly string[]) =>
      (await runCommand([...argv, '--log', rewound], { cwd })).stdout
    expect(await run('sessions', 'list')).toMatch(/^s .*\n└─ s-branch-1 .*\n└── s-x /mu)
    expect(await run('why', 'tidy-notes')).toContain('tidy-notes (skill): inactive')
    expect(await run('sessions', 'show', 'latest')).toContain('s in ')
    const branch = ['--session', 's-branch-1']
    expect(await run('why', 'tidy-notes', ...branch)).toContain('tidy-notes (skill): active')
    const replayed = await run('replay', ...branch)
    expect(replayed).toMatch(/forked as "s-branch-1" from entry \d+ of "s"\n/u)
    expect(replayed).toContain('child sessions: s-x')
    expect(await run('play', '--snapshot', 'text', ...branch)).toContain('session s-branch-1')
  })

  test.each(['claude-code', 'codex', 'pi'])(
    'of %s, whose compaction says what it lost',
    async (client) => {
      const folder = join(import.meta.dirname, '../../connections/observed/transcripts/scripted')
      const log = ['--log', join(folder, client, 'compacted.jsonl')]
      const text =
        /#\d+: history of \d+ tokens summarised(?: to \d+, \d+ fewer)?; it had 2 calls and 2 results; lost: the instructions of "tidy-notes"/u
      const shown = await runCommand(['sessions', 'show', ...log], { cwd })
      const line = new RegExp(text.source.replace(':', ' by the host:'), 'u')
      expect(shown.stdout).toMatch(line)
      expect((await runCommand(['replay', ...log], { cwd })).stdout).toMatch(line)
      expect((await runCommand(['why', 'tidy-notes', ...log], { cwd })).stdout).toMatch(text)
    },
  )

  test('whose requests are not said to have tools, where the transcript does not have them', async () => {
    const codex = join(import.meta.dirname, '../../connections/observed/transcripts/codex')
    const log = ['--log', join(codex, 'two-turns.jsonl')]
    const why = await runCommand(['why', 'exec_command', ...log], { cwd })
    expect(why.stdout).toContain('after request 2: "exec_command" called')
    expect(why.stdout).not.toMatch(/shown to the model|did not carry it/u)
    const replay = await runCommand(['replay', ...log], { cwd })
    expect(replay.stdout).toMatch(/step 1 began \(observed\), its tools are not known$/mu)
  })

  test.each([
    ['activate', 'tidy-notes'],
    ['call', 'Read', '{}'],
    ['run', '.'],
    ['accept', 'tidy-notes'],
    ['approve', 'c1'],
    ['sessions', 'delete', 's'],
    ['sessions', 'fork', 's'],
  ])('that %s %s does not change', async (...argv) => {
    const { stderr, code } = await output(...argv)
    expect([code, stderr]).toEqual([2, expect.stringContaining('which is only looked at')])
  })
})

test('of a transcript with subagents, the session that began them is meant', async () => {
  const own = { isSidechain: true, agentId: 'x' }
  const agent = [user('x1', null, 'Look.'), assistant('x2', 'x1', 'mx', [], 900)]
  const whole = join(cwd, 'with-subagent.jsonl')
  const lines = [...LINES, ...agent.map((one) => ({ ...one, ...own }))]
  writeFileSync(whole, lines.map((one) => JSON.stringify(one)).join('\n'))
  const run = (...argv: string[]) => runCommand([...argv, '--log', whole], { cwd })
  expect(JSON.parse((await run('sessions', 'list', '--json')).stdout).sessions).toHaveLength(2)
  const why = await run('why', 'Read')
  const child = await run('why', 'Read', '--session', 's-x')
  expect(why.stdout).toContain('shown to the model in all 4 requests')
  expect(child.stdout).not.toContain('in all 4 requests')
})
