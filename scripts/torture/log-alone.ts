import { nextRequest } from '../../src/workspace/offer/preview-step.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createDice, type Dice, type TorturePart } from './torture-part.ts'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { promptReport } from '../../src/workbench/cli/commands/prompt-command.ts'
import { openSkillsReport } from '../../src/workbench/cli/commands/skills-command.ts'
import { openToolsReport } from '../../src/workbench/cli/commands/tools-command.ts'
import { findVerdict } from '../../src/workbench/report/answers/explain-name.ts'
import { main } from '../../src/workbench/cli/main.ts'
import { rowValues } from '../../src/workbench/report/writers/json-text.ts'
import type { OpenSession } from '../../src/workbench/cli/opening/open-session.ts'
import { defineAgent } from '../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import type { Skill } from '../../src/skills/definition/skill.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { defineToolset } from '../../src/tools/define-toolset.ts'
import type { Tool } from '../../src/tools/definition/tool.ts'
import type { PromptRequest } from '../../src/workspace/offer/workspace-document.ts'
import { o200kCounter } from '../../src/workspace/open/o200k-counter.ts'
import type { WorkspaceOptions } from '../../src/workspace/open/workspace-options.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

const SESSIONS = 300

/** Compares the command on a log alone with the workspace of the host, in random sessions. */
export const logAlone: TorturePart = {
  name: 'log-alone',
  claim:
    'For an agent whose skills are in code, why, tools, skills and prompt on the log alone answer as the workspace of the host does.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const dice = createDice(seed)
    const failures: string[] = []
    const seen = { sessions: 0, entries: 0, answers: 0, unknown: 0 }
    const folder = await mkdtemp(join(tmpdir(), 'loadout-log-alone-'))
    try {
      for (let left = Math.ceil(SESSIONS * scale); left > 0; left -= 1) {
        if (performance.now() > until) break
        const file = join(folder, `${seen.sessions}.sqlite`)
        const host = await randomSession(file, dice)
        const compared = await compare(host, file, folder)
        seen.sessions += 1
        seen.entries += host.state.seq + 1
        seen.answers += compared.answers
        seen.unknown += compared.unknown
        failures.push(...compared.failures.map((one) => `session ${seen.sessions}: ${one}`))
        await host.close()
      }
    } finally {
      await rm(folder, { recursive: true })
    }
    return {
      figures: {
        'sessions of agents in code': seen.sessions,
        'entries in their logs': seen.entries,
        'answers that were compared': seen.answers,
        'of them, token counts that the log says it does not know': seen.unknown,
        'answers that differ': failures.length,
      },
      failures,
    }
  },
}

const WORDS = ['order', 'stock', 'refund', 'page', 'image', 'search', 'note', 'mail']

function pick<T>(dice: Dice, of: readonly T[]): T {
  return of[dice(of.length)] as T
}

/** Returns each member with a chance of one in `sides`. */
function some<T>(dice: Dice, of: readonly T[], sides = 2): readonly T[] {
  return of.filter(() => dice(sides) === 0)
}

function randomTool(dice: Dice, name: string): Tool {
  return defineTool({
    name,
    description: `${pick(dice, WORDS)} the ${pick(dice, WORDS)}. Use it ${pick(dice, WORDS)} by ${name}.`,
    category: pick(dice, ['retrieval', 'action', 'utility'] as const),
    risk: pick(dice, ['safe', 'moderate', 'destructive'] as const),
    ...(dice(3) === 0 && { topic: pick(dice, WORDS) }),
    ...(dice(4) === 0 && { modes: [pick(dice, ['text', 'voice'])] }),
    ...(dice(4) === 0 && { requiresConfirmation: true }),
    ...(dice(4) === 0 && { version: `1.${dice(3)}.0` }),
    inputSchema: {
      type: 'object',
      properties: { [pick(dice, WORDS)]: { type: 'string', description: `${pick(dice, WORDS)}.` } },
    },
    execute: () => ({ done: name }),
  }) as Tool
}

function randomSkills(dice: Dice, shared: readonly Tool[]): readonly Skill[] {
  const names = WORDS.map((word) => `${word}-skill`)
  return names.map((name, index) =>
    defineSkill({
      name,
      description: `For ${name}, and ${pick(dice, WORDS)}.`,
      instructions: `Work on ${pick(dice, WORDS)} with care.`,
      tools: [
        // Names clash on purpose.
        randomTool(dice, `${pick(dice, WORDS)}_${pick(dice, ['get', 'put'])}`),
        ...some(dice, shared, 3).map((tool) => tool.name),
      ],
      ...(dice(3) === 0 && {
        toolsets: [
          defineToolset({
            name: `${name}-set`,
            description: 'A set.',
            tools: [randomTool(dice, `${name.replace('-', '_')}_extra`)],
          }),
        ],
      }),
      ...(dice(3) === 0 && { whenToUse: `When ${pick(dice, WORDS)} is named.` }),
      ...(dice(3) === 0 && { triggers: [pick(dice, WORDS)] }),
      ...(dice(3) === 0 && { aliases: [`also-${name}`] }),
      ...(dice(4) === 0 && index > 0 && { requires: [names[dice(index)] as string] }),
      ...(dice(5) === 0 && {
        conflicts: [
          pick(
            dice,
            names.filter((one) => one !== name),
          ),
        ],
      }),
      ...(dice(6) === 0 && { exclusive: true }),
      ...(dice(6) === 0 && index > 0 && { extends: [names[dice(index)] as string] }),
      ...(dice(4) === 0 && { permissions: [`${pick(dice, WORDS)}_*`] }),
      ...(dice(3) === 0 && { onConflict: pick(dice, ['shadow', 'namespace'] as const) }),
      ...(dice(5) === 0 && { lifetime: { turns: 1 + dice(2) } }),
    }),
  )
}

const PATTERNS = [...WORDS.map((word) => `${word}_*`), '*', 'loadSkill']

async function randomSession(file: string, dice: Dice): Promise<VirtualWorkspace> {
  const shared = some(dice, WORDS).map((word) => randomTool(dice, `shared_${word}`))
  const skills = randomSkills(dice, shared)
  const names = skills.map(({ name }) => name)
  const agent = defineAgent({
    name: 'random',
    prompt: `Help with ${pick(dice, WORDS)}.`,
    initialSkills: some(dice, names, 6),
    skills: dice(2) === 0 ? '*' : some(dice, names),
    ...(dice(4) === 0 && { tools: ['*_get', 'shared_*', 'loadSkill'] }),
    ...(dice(4) === 0 && { discovery: pick(dice, ['suggest', 'activate-on-call'] as const) }),
  })
  const catalog = await createCatalog({
    // The second of two skills with one name is shadowed.
    skills: [...skills, ...(dice(4) === 0 ? randomSkills(dice, shared).slice(0, 1) : [])],
    tools: shared,
    agents: [agent],
  })
  const options: Omit<WorkspaceOptions, 'catalog'> = {
    session: 's',
    log: await openSqliteLog(file, { durability: 'os' }),
    ...(dice(3) > 0 && { agent: dice(2) === 0 ? 'random' : agent }),
    ...(dice(3) === 0 && { discovery: { limit: 2, pinned: some(dice, PATTERNS, 4) } }),
    ...(dice(2) === 0 && { provider: pick(dice, ['anthropic', 'openai', 'google'] as const) }),
    ...(dice(3) === 0 && { exposure: pick(dice, ['active', 'append', 'bridge'] as const) }),
    policy: {
      mode: pick(dice, ['text', 'voice']),
      permissions: {
        deny: some(dice, PATTERNS, 8),
        ask: some(dice, PATTERNS, 8),
        allowedTools: pick(dice, ['ignore', 'restrict', 'pre-approve'] as const),
      },
    },
  }
  const host = await VirtualWorkspace.open({ ...options, catalog })
  const prompt: PromptRequest = {
    ...(dice(3) === 0 && { includeSkillCatalog: false }),
    ...(dice(3) === 0 && { catalogBudget: 40 + dice(200) }),
    ...(dice(4) === 0 && { format: pick(dice, ['xml', 'text'] as const) }),
    ...(dice(4) === 0 && { date: '2026-11-22' }),
  }
  for (let left = dice(25); left > 0; left -= 1) await randomDeed(host, names, prompt, dice)
  return host
}

async function randomDeed(
  host: VirtualWorkspace,
  skills: readonly string[],
  prompt: PromptRequest,
  dice: Dice,
): Promise<unknown> {
  const tools = host.tools().map(({ name }) => name)
  switch (dice(9)) {
    case 0:
    case 1:
      return host.activateSkill(pick(dice, skills), { replace: dice(2) === 0 })
    case 2:
      return host.deactivateSkill(pick(dice, skills), { cascade: dice(2) === 0 })
    case 3:
      return host.callTool(pick(dice, tools), {}, { caller: 'model' })
    case 4:
      return host.callTool('tool_search', { query: pick(dice, WORDS) }, { caller: 'model' })
    case 5:
      return host.callTool('loadSkill', { skillName: pick(dice, skills) }, { caller: 'model' })
    case 6:
      return host.beginTurn()
    case 7:
      return host.setToolEnabled(pick(dice, tools), dice(2) === 0)
    default:
      return host.beginStep(prompt)
  }
}

interface Compared {
  readonly answers: number
  readonly unknown: number
  readonly failures: readonly string[]
}

async function compare(host: VirtualWorkspace, file: string, cwd: string): Promise<Compared> {
  const counter = await o200kCounter()
  const session = {
    workspace: host,
    counter,
    project: { diagnostics: [] },
    reading: { project: cwd, home: null },
  } as unknown as OpenSession
  const ask = (...words: readonly string[]) => answer([...words, '--log', file, '--json'], cwd)
  const failures: string[] = []
  let answers = 0
  let unknown = 0
  const check = (what: string, log: unknown, expected: unknown) => {
    answers += 1
    const [left, right] = [JSON.stringify(log), JSON.stringify(expected)]
    if (left !== right) failures.push(`${what}: ${firstDifference(left, right)}`)
  }
  /** Takes over the counts that the log does not know. */
  const counted = <T extends { readonly tokens: number | null }>(
    log: readonly T[],
    expected: readonly T[],
  ) =>
    expected.map((one, index) => {
      if (log[index]?.tokens !== null) return one
      unknown += 1
      return { ...one, tokens: null }
    })
  const ownTools = rowValues(await openToolsReport(session))
  const tools = (await ask('tools')) as typeof ownTools
  check('tools', tools, counted(tools, ownTools))
  const ownSkills = rowValues(await openSkillsReport(session))
  const skills = (await ask('skills')) as typeof ownSkills
  check('skills', skills, counted(skills, ownSkills))
  check(
    'prompt',
    await ask('prompt'),
    await promptReport(host.prompt(host.state.prompt), await nextRequest(host)),
  )
  const names = [...tools, ...skills].map(({ name }) => name)
  for (const name of new Set([...names, 'nothing'])) {
    const why = await ask('why', name)
    const { nearest: near, ...report } = findVerdict(name, null, host)
    const history = await host.history(report.name)
    const after = history.requests > 0 ? { history } : {}
    check(`why ${name}`, why, { ...report, nearest: near, ...after })
    const { nearest, ...told } = host.explain(name)
    if (told.status === 'unknown') continue
    check(`why ${name}, as the host explains it`, why, { ...told, nearest, ...after })
  }
  return { answers, unknown, failures }
}

async function answer(argv: readonly string[], cwd: string): Promise<unknown> {
  let stdout = ''
  let stderr = ''
  await main(argv, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    stdin: Readable.from([]),
    env: {},
    cwd,
    home: null,
    isTerminal: false,
    columns: 80,
    colour: false,
    onInterrupt: () => () => {},
    finish: async () => {},
  })
  return stdout === '' ? { stderr } : (JSON.parse(stdout) as unknown)
}

function firstDifference(left = '', right = ''): string {
  const at = [...left].findIndex((letter, index) => letter !== right[index])
  const from = Math.max(0, at - 60)
  return `the log says …${left.slice(from, at + 80)}…, the host …${right.slice(from, at + 80)}…`
}
