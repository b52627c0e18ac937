import { renderToString } from 'ink'
import { defineTool } from 'loadout'
import { providerName } from 'loadout/adapter'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { changePane } from '../../../../src/workbench/playground/context/ui-state.ts'
import { commandFor } from '../../../../src/workbench/playground/changes/command-for.ts'
import {
  selectToolsPane,
  toolsPane,
} from '../../../../src/workbench/playground/panes/tools-pane.tsx'
import type { PlaygroundContext } from '../../../../src/workbench/playground/context/playground-context.ts'
import { shownTab } from '../../../../src/workbench/playground/context/screen-pane.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { PANES } from '../../../../src/workbench/playground/panes/panes.ts'
import { aTool } from '../../../workspace/a-workspace.ts'
import { MemoryServer } from '../../../workspace/servers/a-server.ts'
import { aPlayground, TABLE } from '../a-playground.ts'

const THEME = { ascii: false, colour: false }

function frame(context: PlaygroundContext, width = 100, height = 13): string {
  const props = { context, focused: true, width, height, theme: THEME }
  return renderToString(createElement(toolsPane.View, props), { columns: width })
}

async function press(context: PlaygroundContext, key: string): Promise<void> {
  await toolsPane.actions.find(({ keys }) => keys.includes(key))?.run(context)
}

function select(context: PlaygroundContext, selected: string): void {
  context.ui.setState((state) => changePane(state, 'tools', { selected }))
}

test('by source, each tool with its status and the reason in words', async () => {
  const { context, workspace } = await aPlayground()
  await workspace.activateSkill('data-analysis')
  await context.readNext()
  select(context, 'write_report')
  expect(frame(context)).toMatchInlineSnapshot(`
    "    TOOL                     STATUS    TOKENS REASON
      ▾ loadout (3)
      ● loadSkill                sent          20 #1 "loadout" registered it when the session opened.
      ● loadSkillFile            sent          33 #1 "loadout" registered it when the session opened.
      ● unloadSkill              sent          14 #1 "loadout" registered it when the session opened.
      ▾ skill data-analysis (2)
      ● query_table              sent           3 #2 Skill "data-analysis" was activated by the host.
      ● list_tables              sent           3 #2 Skill "data-analysis" was activated by the host.
      ▾ skill reporting (1)
    ❯ ○ write_report             inactive       2 #0 Skill "reporting" has not been activated since th…


    "
  `)
  expect(toolsPane.status(context)).toBe('5 sent, 1 inactive')
})

test('a tool whose handler could not be used has the finding in its row and its description', async () => {
  const send = defineTool({ name: 'send', description: 'Send it.' })
  const { context, workspace } = await aPlayground(
    [{ name: 'mail', description: 'Mail.', tools: [send] }],
    {},
    [
      {
        code: 'handler-without-execute',
        severity: 'error',
        message: 'The handler of "send" exports no function named execute.',
        hint: 'Export it by name.',
        file: '/skills/mail/tools/send/handler.ts',
        tool: send.hash,
      },
    ],
  )
  await workspace.activateSkill('mail')
  select(context, 'send')
  expect(frame(context)).toContain('The handler of "send" exports')
  expect(toolsPane.about?.(context)).toMatchObject({
    place: { file: '/skills/mail/tools/send/handler.ts' },
    lines: expect.arrayContaining([
      '  #2 The handler of "send" exports no function named execute. (/skills/mail/tools/send/handler.ts)',
      'fix: Export it by name.',
    ]),
  })
})

test('by status', async () => {
  const { context } = await aPlayground()
  await press(context, 'm')
  expect(toolsPane.rows(context).filter((id) => id.startsWith('group '))).toEqual([
    'group sent',
    'group inactive',
  ])
  await press(context, 'm')
  expect(toolsPane.rows(context)).toContain('group skill reporting')
})

test('a filter without matches says so', async () => {
  const { context } = await aPlayground()
  context.ui.setState((state) => changePane(state, 'tools', { filter: 'zzz' }))
  expect(frame(context)).toContain('No tool matches "zzz".')
})

test('a tool that its running server dropped has a row, which the filter and the palette find', async () => {
  const tools = ['tracker_list', 'tracker_label'].map((name) => aTool(name))
  const server = new MemoryServer('tracker', tools, { stored: true })
  const skills = [{ name: 'issues', description: 'Work on issues.', servers: ['tracker'] }]
  const { context, workspace } = await aPlayground(skills, {}, [], { servers: [server] })
  await workspace.activateSkill('issues')
  select(context, 'tracker_label')
  const before = toolsPane.about?.(context)?.lines
  expect(before).toEqual(
    expect.arrayContaining([expect.stringContaining('The server "tracker" is not connected')]),
  )
  server.tools = server.tools.slice(0, 1)
  await workspace.callTool('tracker_list', {})
  context.ui.setState((state) => changePane(state, 'tools', { filter: 'label' }))
  expect(frame(context, 100, 6)).toMatchInlineSnapshot(`
    "    TOOL                      STATUS  TOKENS REASON
      ▾ server tracker (1)
    ❯ ✗ tracker_label             gone         0 #5 Server "tracker" no longer has it.


    "
  `)
  const details = toolsPane.about?.(context)?.lines ?? []
  expect(details.map((line) => line.replace(/since .*Z/u, 'since then'))).toMatchInlineSnapshot(`
    [
      "tracker_label (tool): gone",
      "from: server tracker",
      "server tracker: connected since then",
      "  #5 Server "tracker" no longer has it.",
      "fix: Did you mean "tracker_list"?",
    ]
  `)
  await context.readNext()
  expect(toolsPane.status(context)).toBe('/label: 1 gone')
  context.ui.setState((state) => changePane(state, 'tools', { filter: '' }))
  expect(toolsPane.status(context)).toBe('4 sent, 1 gone')
  await press(context, 'm')
  expect(toolsPane.rows(context).slice(-2)).toEqual(['group gone', 'tracker_label'])
  await handleStrokes([':', ...'tracker_label', 'enter'], context, TABLE)
  expect(selectToolsPane(context.ui.getState()).selected).toBe('tracker_label')
})

test('a group is folded from any of its tools, and opened at its heading', async () => {
  const { context } = await aPlayground()
  select(context, 'list_tables')
  await press(context, 'z')
  expect(toolsPane.rows(context)).not.toContain('list_tables')
  expect(selectToolsPane(context.ui.getState()).selected).toBe('group skill data-analysis')
  await press(context, 'enter')
  expect(toolsPane.rows(context)).toContain('list_tables')
})

test('space folds a group at its heading', async () => {
  const { context } = await aPlayground()
  select(context, 'group skill data-analysis')
  await press(context, 'space')
  expect(toolsPane.rows(context)).not.toContain('list_tables')
})

test('x switches a tool off, and on again', async () => {
  const { context, workspace } = await aPlayground()
  await workspace.activateSkill('data-analysis')
  select(context, 'query_table')
  await press(context, 'x')
  expect(workspace.explain('query_table').status).toBe('disabled')
  expect(context.ui.getState().banner).toMatchObject({
    text: 'query_table switched off',
    difference: { removed: ['query_table'] },
  })
  await press(context, 'x')
  expect(workspace.explain('query_table').status).toBe('available')
})

test('space activates the skill of the tool', async () => {
  const { context, workspace } = await aPlayground()
  select(context, 'query_table')
  await press(context, 'space')
  expect(workspace.isToolAvailable('query_table')).toBe(true)
  await press(context, 'space')
  expect(context.ui.getState().banner).toMatchObject({ tone: 'note' })
})

test.each([
  ['query_table', 'The skill "data-analysis" of "query_table" is already active.'],
  ['loadSkill', '"loadSkill" has no skill to activate.'],
])('space on %s, which needs no skill, says why nothing happens', async (tool, why) => {
  const { context, workspace } = await aPlayground()
  await workspace.activateSkill('data-analysis')
  select(context, tool)
  await press(context, 'space')
  expect(context.ui.getState().banner?.text).toBe(
    `${why} Press Enter to see the reason and the fix.`,
  )
})

test('c asks for arguments', async () => {
  const { context } = await aPlayground()
  select(context, 'query_table')
  await press(context, 'c')
  expect(context.ui.getState().dialog).toMatchObject({ kind: 'call', tool: 'query_table' })
})

test('c on a tool whose name two skills bring calls the one under the cursor', async () => {
  const ofSkill = (name: string, field: string) => ({
    name,
    description: 'One of two.',
    tools: [
      defineTool({
        name: 'look',
        description: `Look at ${name}.`,
        inputSchema: {
          type: 'object',
          properties: { [field]: { type: 'string' } },
          required: [field],
        },
        execute: () => null,
      }),
    ],
  })
  const { context } = await aPlayground([ofSkill('owls', 'tree'), ofSkill('mice', 'hole')])
  select(context, 'look')
  await press(context, 'c')
  expect(context.ui.getState().dialog).toMatchObject({ tool: 'mice/look', text: '{}' })
  select(context, 'owls/look')
  await press(context, 'c')
  expect(context.ui.getState().dialog).toMatchObject({ tool: 'owls/look', text: '{}' })
})

test('enter shows why, the schema, the documentation and what to press', async () => {
  const { context } = await aPlayground([
    {
      name: 'maps',
      description: 'Maps.',
      tools: [
        defineTool({
          name: 'route',
          description: 'Find a way.',
          documentation: '# Routes\n\nFrom here to there.',
          inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
          execute: () => 'left',
        }),
      ],
    },
  ])
  select(context, 'route')
  await press(context, 'enter')
  expect(toolsPane.about?.(context)?.lines.join('\n')).toMatchInlineSnapshot(`
    "maps/route (tool): skill-inactive
    from: skill maps
      #0 Skill "maps" has not been activated since the session opened.
    fix: Activate the skill "maps".
    Keys: Space activates "maps".

    Find a way.
    Version 1.0.0, action, moderate, 3 tokens

    Input schema
    {
      "type": "object",
      "properties": {
        "to": {
          "type": "string"
        }
      },
      "additionalProperties": false
    }

    Documentation
    # Routes

    From here to there."
  `)
})

test('two inactive skills that bring one name are explained apart', async () => {
  const bringing = (name: string, conflicts: readonly string[]) => ({
    name,
    description: name,
    conflicts,
    tools: [defineTool({ name: 'find', description: `Find ${name}.`, execute: () => 1 })],
  })
  const { context, workspace } = await aPlayground([
    bringing('one', ['three']),
    bringing('two', []),
    { name: 'three', description: 'three' },
  ])
  await workspace.activateSkill('three')
  const [, first, second] = ['group skill one', 'find', 'two/find'].map((id) => {
    select(context, id)
    return toolsPane.about?.(context)?.lines[2]
  })
  expect(first).toContain('"one"')
  expect(second).toContain('Skill "two" has not been activated')
})

test.each([
  ['skill-inactive', 'Space activates "maps".'],
  ['disabled', 'x switches it on.'],
  ['available', 'c calls it; x switches it off.'],
  ['changed', 'a on "maps" in the Skills pane accepts the change.'],
  ['denied', ''],
] as const)('what to press for a tool that is %s', (status, text) => {
  expect(commandFor({ source: 'skill', owner: 'maps', status }, false)).toBe(text)
})

test('the details have the name that the provider gets', async () => {
  const tool = defineTool({ name: 'maps.route', description: 'Find a way.' })
  const skills = [{ name: 'maps', description: 'Maps.', tools: [tool] }]
  const { context } = await aPlayground(skills, {}, [], { provider: 'openai' })
  select(context, 'maps.route')
  await press(context, 'enter')
  expect(toolsPane.about?.(context)?.lines.slice(0, 3)).toEqual([
    'maps/maps.route (tool): skill-inactive',
    'from: skill maps',
    `sent as: ${providerName('maps.route', 'openai')}`,
  ])
})

test('the key that changes a tool is named only where keys change the session', async () => {
  const { context } = await aPlayground(undefined, { live: false })
  select(context, 'query_table')
  const readOnly = toolsPane.about?.(context)?.lines.join('\n')
  expect(readOnly).toContain('fix: Activate the skill "data-analysis".')
  expect(readOnly).not.toContain('Keys:')
  const live = await aPlayground()
  select(live.context, 'query_table')
  const lines = () => toolsPane.about?.(live.context)?.lines
  expect(lines()).toContain('Keys: Space activates "data-analysis".')
  live.context.ui.setState({ moment: 0 })
  expect(lines()).not.toContain('Keys: Space activates "data-analysis".')
})

test('a tool in quarantine is accepted with the definition that is shown', async () => {
  const { context, workspace } = await aPlayground()
  const ping = (description: string) =>
    defineTool({ name: 'ping', description, execute: () => 'pong' })
  await workspace.registerTool(ping('Ping.'), { trusted: false })
  await workspace.registerTool(ping('Ping all.'), { trusted: false, replace: true })
  select(context, 'ping')
  await press(context, 'enter')
  expect(toolsPane.about?.(context)?.lines).toContain('Keys: a accepts its current definition.')
  context.ui.setState({ focus: 'tools' })
  await press(context, 'a')
  expect(context.ui.getState().banner?.text).toContain('ping accepted')
  expect(workspace.isToolAvailable('ping')).toBe(true)
  await press(context, 'a')
  expect(context.ui.getState().banner?.text).toBe(
    'The definition of "ping" has not changed: there is nothing to accept.',
  )
})

test('10,000 tools are explained and priced only where they are in view', async () => {
  const skills = Array.from({ length: 100 }, (_, skill) => ({
    name: `skill-${skill}`,
    description: 'One of many.',
    tools: Array.from({ length: 100 }, (_, tool) =>
      defineTool({ name: `tool_${skill}_${tool}`, description: 'One.', execute: () => 1 }),
    ),
  }))
  const { context, workspace } = await aPlayground(skills)
  let explained = 0
  const explain = workspace.explain.bind(workspace)
  const value = (name: string) => ((explained += 1), explain(name))
  Object.defineProperty(workspace, 'explain', { value })
  expect(frame(context).split('\n')).toHaveLength(13)
  expect(explained).toBeGreaterThan(0)
  expect(explained).toBeLessThan(20)
  expect(toolsPane.rows(context).length).toBeGreaterThan(10_000)
})

describe('why is a tool missing', () => {
  const tool = (name: string, isBound = true) =>
    defineTool({ name, description: name, ...(isBound && { execute: () => 'done' }) })

  test.each([
    ['archive', /^\w+\/\w+ \(tool\): skill-inactive.*Space activates "post"/su],
    ['delete_all', /^\w+\/\w+ \(tool\): denied.*delete_\*/su],
    ['forward', /^\w+\/\w+ \(tool\): unbound.*handler/su],
    ['read_mail', /^\w+\/\w+ \(tool\): disabled.*x switches it on/su],
  ])('%s: at most six keys show the reason and what to do', async (name, reason) => {
    const { context, workspace } = await aPlayground(
      [
        { name: 'post', description: 'Old mail.', tools: [tool('archive')] },
        {
          name: 'mail',
          description: 'Mail.',
          tools: [tool('delete_all'), tool('forward', false), tool('read_mail'), tool('send')],
        },
      ],
      {},
      [],
      { policy: { permissions: { deny: ['delete_*'] } } },
    )
    await workspace.activateSkill('mail')
    await workspace.setToolEnabled('read_mail', false)
    const keys = ['2', '/', ...name.slice(0, 4)]
    expect(keys.length).toBeLessThanOrEqual(6)
    for (const key of keys) await handleStrokes([key], context, TABLE)
    expect(shownTab(PANES, context.ui.getState())?.id).toBe('why')
    expect(toolsPane.about?.(context)?.title).toBe(name)
    expect(toolsPane.about?.(context)?.lines.join('\n')).toMatch(reason)
  })
})

test('a tool that is left out has a row with the reason, and the details have the health of its server', async () => {
  const { context, workspace } = await aPlayground()
  const server = new MemoryServer('files', [aTool('files_read')], { trusted: true })
  server.leftOut = [{ tool: 'watch', reason: 'It only runs as a task.' }]
  await workspace.attach(server)
  await context.readNext()
  select(context, 'files_watch')
  const rows = frame(context, 130).split('\n')
  expect(rows.find((row) => row.includes('files_watch'))).toMatch(/left-out .*it is left out: It/u)
  const detailsNow = () => toolsPane.about?.(context)?.lines.join('\n') ?? ''
  expect(detailsNow()).toMatch(/^server files: connected since /mu)
  server.lose()
  expect(detailsNow()).toMatch(/^server files: cut since .*: It is gone\.$/mu)
})
