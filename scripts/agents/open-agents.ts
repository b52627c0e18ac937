import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PortedAgent } from './ported-agent.ts'

const BUN = '../../.bun/node_modules/.bin/bun'

/** The same folder for both runs, because outputs may have its path. */
const sandbox = join(tmpdir(), 'loadout-open-agents-sandbox')

const todos = [{ id: '1', content: 'Correct the greeting.', status: 'in_progress' }]

const question = {
  question: 'Which greeting?',
  header: 'Greeting',
  options: ['Hello', 'Hi'].map((label) => ({ label, description: `Say ${label}.` })),
  multiSelect: false,
}

const task = {
  subagentType: 'explorer',
  task: 'Find the greeting',
  instructions: 'Say in which file it is.',
}

/** A coding agent with 11 tools and subagents, one step in each run: https://github.com/vercel-labs/open-agents. */
export const openAgents: PortedAgent = {
  name: 'open-agents',
  repository: 'https://github.com/vercel-labs/open-agents.git',
  commit: '2b8ad0bcc9a2d30c785e7c328c677721c960bf6b',
  licence: 'MIT',
  folder: 'packages/agent',
  tools: 11,
  upgrade: 'open-agents-7.patch',
  install: [
    ['npm', 'install', '--prefix', '../../.bun', '--no-audit', '--no-fund', 'bun@1.2.14'],
    [BUN, 'install', '--ignore-scripts', '--filter', '@open-agents/agent'],
  ],
  add: [BUN, 'add', '--ignore-scripts'],
  // Each file has its own modules, which it replaces for the whole process.
  tests: ['sh', '-c', `for file in *.test.ts */*.test.ts; do ${BUN} test ./$file || exit 1; done`],
  passed: /^ *(\d+) pass$/gm,
  entry: 'index.ts',
  replaced: {
    '@open-agents/sandbox': 'open-agents-world.ts',
    './models': 'open-agents-world.ts',
  },
  patch: 'open-agents.patch',
  messages: ['Correct the greeting, and clean up.', 'Who calls it?'],
  said: [
    [
      { id: 'todo', tool: 'todo_write', input: { todos } },
      { id: 'read', tool: 'read', input: { filePath: 'greet.ts' } },
      { id: 'missing', tool: 'read', input: { filePath: 'left.ts' } },
    ],
    [
      {
        id: 'edit',
        tool: 'edit',
        input: { filePath: 'greet.ts', oldString: 'Helo', newString: 'Hello' },
      },
      { id: 'secret', tool: 'read', input: { filePath: '.env' } },
    ],
    [{ id: 'wrong', tool: 'read', input: { filePath: 7 } }],
    { onlyMoved: [{ id: 'load', tool: 'loadSkill', input: { skillName: 'shell' } }] },
    [
      { id: 'list', tool: 'bash', input: { command: 'ls' } },
      { id: 'remove', tool: 'bash', input: { command: 'rm -rf tmp' } },
    ],
    [{ id: 'ask', tool: 'ask_user_question', input: { questions: [question] } }],
    'The greeting is right now.',
    [{ id: 'task', tool: 'task', input: task }],
    // The subagent.
    [{ id: 'inner', tool: 'grep', input: { pattern: 'greet', path: '.' } }],
    'It is in greet.ts.',
    'Nobody calls it.',
  ],
  answers: { ask: { answers: { 'Which greeting?': 'Hello' } } },
  options: {
    sandbox: { state: { type: 'vercel', sandboxId: sandbox }, workingDirectory: sandbox },
  },
  // Questions have a reason. The gate says what is wrong.
  listed: ['secret approval', 'remove approval', 'wrong errorText', 'wrong result'],
  create({ openAgent, gateway }, model) {
    rmSync(sandbox, { recursive: true, force: true })
    mkdirSync(join(sandbox, 'tmp'), { recursive: true })
    writeFileSync(join(sandbox, 'greet.ts'), "export const greet = () => 'Helo'\n")
    writeFileSync(join(sandbox, '.env'), 'TOKEN=none\n')
    Object.assign(gateway as object, { model })
    return openAgent as ReturnType<PortedAgent['create']>
  },
}
