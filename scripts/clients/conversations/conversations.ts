import { skillsIn } from '../case-folder.ts'
import { type Action, type Answer, type Conversation, markOf } from './conversation.ts'

/** The folders in which the four clients look for skills. */
const PLACES = ['.claude/skills', '.agents/skills']

function skill(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n\n${markOf(name)}\n\nWork in small steps.\n`
}

const SKILLS = {
  'tidy-notes': skill('tidy-notes', 'Sorts notes by date.'),
  'stock-report': skill('stock-report', 'Counts items in stock and writes a short report.'),
  'plan-week': skill('plan-week', 'Makes a plan for a week from a list.'),
}

const FILES = {
  ...skillsIn(PLACES, SKILLS),
  'plan.txt': 'Bolts first, then nuts.\n',
  'notes.md': '# Notes\n\n2 March: nuts\n1 March: bolts\n',
}

const BASE = { what: 'Three skills, a server, two files.', files: FILES }

const load = (name: string): Action => ({ does: 'load', skill: name })
const serve = (tool: string, kind = 'bolts'): Action => ({ does: 'serve', tool, input: { kind } })
const read = (file: string): Action => ({ does: 'read', file })
const run = (command: string): Action => ({ does: 'run', command })
const does = (...actions: Action[]): Answer => ({ actions })
const says = (text: string): Answer => ({ text })
const END = says('All is done.')

const turn = (said: string, ...answers: Answer[]) => ({ said, answers: [...answers, END] })

/** The conversations that the script has with each client, by name. */
export const CONVERSATIONS: Readonly<Record<string, Conversation>> = {
  'load-one': {
    case: BASE,
    turns: [turn('Sort my notes.', does(load('tidy-notes')), does(read('notes.md')))],
  },
  'load-two-at-once': {
    case: BASE,
    turns: [turn('Report and plan.', does(load('stock-report'), load('plan-week')))],
  },
  'load-again': {
    case: BASE,
    turns: [
      turn('Sort my notes.', does(load('tidy-notes'))),
      turn('Once more.', does(load('tidy-notes')), does(load('plan-week'))),
    ],
  },
  'by-name': {
    case: BASE,
    turns: [{ ...turn('of this week', does(read('notes.md'))), names: 'tidy-notes' }],
  },
  'by-name-later': {
    case: BASE,
    turns: [
      turn('Read the plan.', does(read('plan.txt'))),
      { ...turn('for bolts', does(serve('count_items'))), names: 'stock-report' },
    ],
  },
  'no-skills': {
    case: { what: 'No skill.', files: { 'plan.txt': FILES['plan.txt'] } },
    turns: [turn('Read the plan.', does(read('plan.txt')), does(serve('count_items')))],
  },
  server: {
    case: BASE,
    turns: [turn('Count.', does(serve('count_items')), does(serve('count_items', 'nuts')))],
  },
  'server-fails': {
    case: BASE,
    turns: [turn('Count.', does(serve('fail_items')), does(serve('count_items')))],
  },
  'many-at-once': {
    case: BASE,
    turns: [
      turn(
        'Do all of it.',
        does(read('plan.txt'), run('echo one'), serve('count_items'), read('notes.md')),
        does(run('echo two'), run('echo three')),
      ),
    ],
  },
  failing: {
    case: BASE,
    turns: [
      turn(
        'Try.',
        does(run('echo before; exit 3')),
        does(read('missing.txt')),
        does({ does: 'misname' }),
        does({ does: 'misuse' }),
        does(load('no-such-skill')),
      ),
    ],
  },
  refused: {
    case: BASE,
    refuses: { commands: ['touch:*'] },
    turns: [turn('Try.', does(run('touch made.txt')), does(read('plan.txt')))],
  },
  'refused-skill': {
    case: BASE,
    refuses: { skills: ['tidy-notes'] },
    turns: [turn('Sort my notes.', does(load('tidy-notes')), does(load('plan-week')))],
  },
  subagent: {
    case: BASE,
    tasks: {
      1: [does(load('stock-report')), does(read('plan.txt')), says('The subagent is done.')],
    },
    turns: [
      turn(
        'Let another do it.',
        does({ does: 'delegate', task: 1 }),
        does({ does: 'wait' }),
        does(read('notes.md')),
      ),
    ],
    not: { pi: 'has no subagents' },
  },
  'two-subagents': {
    case: BASE,
    tasks: {
      1: [does(run('echo first')), says('The first is done.')],
      2: [does(load('plan-week')), says('The second is done.')],
    },
    turns: [
      turn(
        'Let two do it.',
        does({ does: 'delegate', task: 1 }, { does: 'delegate', task: 2 }),
        does({ does: 'wait' }),
        does({ does: 'wait' }),
      ),
    ],
    not: { pi: 'has no subagents' },
  },
  resumed: {
    case: BASE,
    turns: [
      turn('Sort my notes.', does(load('tidy-notes'))),
      turn('Now count.', does(load('stock-report')), does(serve('count_items'))),
      turn('Thanks.'),
    ],
  },
  'skill-added': {
    case: BASE,
    turns: [
      turn('Read the plan.', does(read('plan.txt'))),
      {
        ...turn('Use the new one.', does(load('new-one'))),
        changes: skillsIn(PLACES, { 'new-one': skill('new-one', 'Came later.') }),
      },
    ],
  },
  'skill-removed': {
    case: BASE,
    turns: [
      turn('Sort my notes.', does(load('tidy-notes'))),
      {
        ...turn('Plan.', does(load('plan-week'))),
        changes: Object.fromEntries(PLACES.map((at) => [`${at}/tidy-notes/SKILL.md`, null])),
      },
    ],
  },
  compacted: {
    case: BASE,
    window: 30_000,
    turns: [
      turn('Sort my notes.', does(load('tidy-notes')), does(run('seq 1 200')), {
        ...END,
        tokens: 29_000,
      }),
      { ...turn('Go on.', does(load('plan-week'))), compacts: true },
    ],
  },
  'compacted-in-turn': {
    case: BASE,
    window: 30_000,
    turns: [
      turn(
        'Sort my notes.',
        does(load('tidy-notes')),
        { ...does(run('seq 1 300')), tokens: 29_500 },
        does(load('tidy-notes')),
      ),
    ],
    not: { 'claude-code': 'counts the tokens itself' },
  },
  rewound: {
    case: BASE,
    turns: [
      turn('Read the plan.', does(read('plan.txt'))),
      { ...turn('Sort my notes.', does(load('tidy-notes'))), isRewound: true },
      turn('Plan instead.', does(load('plan-week'))),
    ],
  },
  'long-result': {
    case: BASE,
    turns: [turn('All of them.', does(serve('many_items')), does(run('seq 1 20000')))],
  },
  odd: {
    case: BASE,
    turns: [
      turn(
        'Was heißt 名前 🧺? "x" \\n </skill> <name>y</name>',
        does(serve('odd_items', 'größe 🧺 "\\\n')),
        does(run(`printf 'a\\tb\\n\\033[1mbold\\033[0m \\342\\200\\256x\\n{"a": [1]}\\n'`)),
        does({ does: 'write', file: 'neu ü.md', content: '---\nname: fake\n---\n<skill>\n' }),
        does(read('neu ü.md')),
      ),
    ],
  },
  'text-and-call': {
    case: BASE,
    turns: [
      turn(
        'Say what you do.',
        { text: 'First I load it.', actions: [load('tidy-notes')] },
        { text: 'Now the files.', actions: [read('notes.md'), read('plan.txt')] },
      ),
    ],
  },
  'tried-again': {
    case: BASE,
    turns: [turn('Sort my notes.', { fails: true }, does(load('tidy-notes')), { fails: true })],
  },
  'too-many-skills': {
    case: {
      what: 'Eighty skills.',
      files: FILES,
      make: PLACES.map((under) => ({ under, count: 80, length: 300 })),
    },
    window: 200_000,
    turns: [turn('Do it.', does(load('skill-007')), does(load('tidy-notes')))],
  },
}
