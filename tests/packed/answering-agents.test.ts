import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import {
  hasTerminals,
  runInTerminal,
  type TerminalStep,
} from '../workbench/playground/terminal/run-in-terminal.ts'
import { skillText } from '../workbench/project/temporary-folder.ts'
import { homeAt, installed } from './installed.ts'

/** A tool in the code of a user whose calls ask. */
const SEND = `
  import { defineTool } from 'loadout'
  export const send = defineTool({
    name: 'send_mail', description: 'Sends mail.', requiresConfirmation: true,
    inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    execute: ({ to }) => ({ sent: to }),
  })
`

/** Waits for the answer to a call, makes it again and then another one, and prints what became of them. */
const WORK = `
  import { VirtualWorkspace } from 'loadout'
  import { openSqliteLog } from 'loadout/sqlite'
  const log = await openSqliteLog('run.sqlite')
  const workspace = await VirtualWorkspace.open({
    catalog, log, session: 'support', follow: true, confirmations: { keepArguments: true },
  })
  for (const name of catalog.skills.keys()) await workspace.activateSkill(name)
  const call = async (to) => {
    const response = await workspace.callTool('send_mail', { to }, { caller: 'model' })
    return response.ok ? response.data : response.error.details.code
  }
  console.log(await call('ada'))
  await new Promise((resolve) => {
    const check = () => {
      if (workspace.state.confirmations.every(({ consent }) => consent !== 'pending')) resolve()
    }
    workspace.subscribe(check)
    check()
  })
  const first = await call('ada')
  const other = await call('bob')
  const answers = (await log.read('support')).flatMap(({ event, cause }) =>
    /^confirmation\\.(approved|denied)$/.test(event.type) ? [event.type + ' by ' + cause.by] : [])
  console.log(JSON.stringify({ first, other, answers }))
  await workspace.close()
  await log.close()
`

/** An agent whose tools are in its code, and one whose skills are in a folder. */
const AGENTS = {
  'send.mjs': SEND,
  'agent.mjs': `
    import { createCatalog } from 'loadout'
    import { send } from './send.mjs'
    const catalog = await createCatalog({ tools: [send] })
    ${WORK}`,
  'skills/mail/SKILL.md': skillText('mail'),
  'skills/mail/tools/send_mail.mjs': SEND.replace('const send =', 'default'),
  'folder-agent.mjs': `
    import { openProject } from 'loadout/node'
    const { catalog } = await openProject(['skills'], { trusted: true })
    ${WORK}`,
}

/** Starts an agent that asks, and returns its next line of output each time. */
async function startAgent(program: 'agent.mjs' | 'folder-agent.mjs') {
  const { folder, bin } = await installed([], AGENTS)
  const agent = spawn(process.execPath, [program], {
    cwd: folder,
    env: homeAt(folder),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    if (agent.exitCode === null && agent.kill()) await once(agent, 'close')
  })
  const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]()
  const printed = async () => (await lines.next()).value ?? ''
  expect(await printed()).toBe('confirmation-required')
  const shown = (words: readonly string[], steps: readonly TerminalStep[]) =>
    runInTerminal(
      [process.execPath, bin, ...words, '--log', 'run.sqlite'],
      [...steps, { type: '\x03' }],
      { cwd: folder, columns: 160 },
    )
  return { printed, shown }
}

const ANSWERS = [
  {
    key: 'y',
    says: 'The call of send_mail was approved',
    end: {
      first: { sent: 'ada' },
      other: 'confirmation-required',
      answers: ['confirmation.approved by user'],
    },
  },
  {
    key: 's',
    says: 'The call of send_mail was approved',
    end: {
      first: { sent: 'ada' },
      other: { sent: 'bob' },
      answers: ['confirmation.approved by user'],
    },
  },
  {
    key: 'n',
    says: 'The call of send_mail was denied',
    end: {
      first: 'confirmation-denied',
      other: 'confirmation-required',
      answers: ['confirmation.denied by user'],
    },
  },
]

/** The question with its arguments is on the screen. */
const ASKED = { wait: '"to": "ada"' }

const OFFER = 'Answer questions here, or only follow'

test.runIf(hasTerminals).each(ANSWERS)(
  'an agent that waits goes on after w, 3 and $key in loadout attach',
  async ({ key, says, end }) => {
    const { printed, shown } = await startAgent('agent.mjs')
    const { left } = await shown(
      ['attach', 'support'],
      [
        { wait: OFFER },
        { type: 'w' },
        { wait: 'This screen may answer the questions of the session' },
        { type: '3' },
        ASKED,
        { type: key },
        { wait: says },
      ],
    )
    expect(left).toEqual([])
    expect(JSON.parse(await printed())).toEqual(end)
  },
)

test.runIf(hasTerminals).each(ANSWERS)(
  'an agent whose skills are in a folder goes on after 3 and $key in loadout play, which needs no w',
  async ({ key, says, end }) => {
    const { printed, shown } = await startAgent('folder-agent.mjs')
    const { left, output } = await shown(
      ['play', 'skills', '--trust', '--session', 'support'],
      [{ wait: ' keys' }, { type: '3' }, ASKED, { type: key }, { wait: says }],
    )
    expect(left).toEqual([])
    expect(output).not.toContain(OFFER)
    expect(JSON.parse(await printed())).toEqual(end)
  },
)

test
  .runIf(hasTerminals)
  .each([
    { words: ['play', '--session', 'support'] },
    { words: ['play', '--session', 'support', '--read-only'] },
    { words: ['play'] },
  ])(
  '$words on a session of other code offers no w, and says where to answer',
  async ({ words }) => {
    const { shown } = await startAgent('agent.mjs')
    const { left, output } = await shown(words, [
      { wait: ' keys' },
      { type: '3' },
      ASKED,
      { type: 'wy' },
      { wait: 'Answer in the host or with loadout attach' },
    ])
    expect(left).toEqual([])
    expect(output).not.toContain(OFFER)
    expect(output).not.toMatch(/answers questions|y approves/)
  },
)
