import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineProject } from './engine-project.ts'

import { restateServer } from './restate-server.ts'
import { Workers } from './workers.ts'

export const ENGINES = ['dbos', 'restate', 'langgraph'] as const

export type EngineName = (typeof ENGINES)[number]

/** One turn of which workers were killed. */
export interface KilledTurn {
  /** The points at which they died. */
  readonly died: readonly string[]
  readonly verdict: 'twice' | 'once' | 'unknown' | 'lost'
  /** True if a request that was made again was not the same. */
  readonly isPrefixBroken: boolean
  /** Everything else that is wrong. */
  readonly problems: readonly string[]
}

export interface EngineTrial {
  readonly engine: EngineName
  /** True if the engine has no steps of the turn, so that it is made again from its beginning. */
  readonly whole: boolean
  /** The points that a turn passes which nobody kills. */
  readonly points: readonly string[]
  readonly turns: readonly KilledTurn[]
}

/** Points between the start of a call in the log and its end there: one who dies there leaves something unknown. */
const IN_HANDLER =
  /^after the append of .*call\.started|in its handler$|^before the append of .*call\.ended/

/**
 * Makes turns of an engine and kills its workers.
 *
 * @param choose the points of each turn at which a worker dies, by their numbers from 1, for the points that there are
 */
export async function tryEngine(
  engine: EngineName,
  project: EngineProject,
  {
    database,
    whole,
    choose,
  }: {
    readonly database: string
    readonly whole: boolean
    choose(points: readonly string[]): readonly (readonly number[])[]
  },
): Promise<EngineTrial> {
  const folder = mkdtempSync(join(project.folder, `${engine}-`))
  const server = engine === 'restate' ? await restateServer(project, folder) : undefined
  const args = (server?.ports ?? [0]).map((port) => [
    '--engine',
    engine,
    '--database',
    database,
    '--folder',
    folder,
    ...(server ? ['--server', server.ingress, '--port', `${port}`] : []),
    ...(whole ? ['--whole'] : []),
  ])
  const workers = new Workers(project.worker, folder, args)
  try {
    const { answer } = await import(join(project.folder, 'examples', 'engines', `${engine}.ts`))
    const make = (dies: readonly number[]) =>
      makeTurn(
        workers,
        folder,
        dies,
        answer &&
          ((...given: [string, string]) => answer(server?.ingress ?? database, ...given, true)),
      )
    // The files of a run are there before a worker is.
    prepare(folder, 'none', [])
    await workers.start()
    await server?.register()
    const { points, turn: unhurt } = await make([])
    const problems =
      unhurt.verdict === 'once' ? unhurt.problems : [unhurt.verdict, ...unhurt.problems]
    if (problems.length > 0) throw new Error(`${engine} without a kill: ${problems.join(', ')}`)
    const turns: KilledTurn[] = []
    for (const dies of choose(points)) turns.push((await make(dies)).turn)
    return { engine, whole, points, turns }
  } finally {
    await workers.stop()
    await server?.stop()
  }
}

type Answer = (session: string, question: string) => Promise<void>

async function makeTurn(
  workers: Workers,
  folder: string,
  dies: readonly number[],
  answer: Answer | undefined,
): Promise<{ readonly points: readonly string[]; readonly turn: KilledTurn }> {
  const session = `${folder.split(/[/-]/).at(-1)}-${readTurns(folder) + 1}`
  prepare(folder, session, dies)
  const questions = new Set<string>()
  const answers: Promise<void>[] = []
  const ended = await workers.run({ type: 'run', session }, (report, answerInWorker) => {
    if (report.type !== 'asked') return
    // An engine keeps an answer that it got. LangGraph gets it by a worker, which may die before.
    if (answer === undefined) answerInWorker()
    else if (questions.size === 0) answers.push(answer(session, report.question))
    questions.add(report.question)
  })
  await Promise.all(answers)
  const read = (name: string) => linesIn(join(folder, session, name))
  const [points, effects, prompts] = [read('points'), read('effects'), read('prompts')]
  const isTwice = new Set(effects).size < effects.length
  const isUnknown = prompts.at(-1)?.includes('What it did is not known') === true
  const died = dies.flatMap((at) => points[at - 1] ?? [])
  const problems = [
    ended.replayed !== ended.entries && 'the log does not replay',
    (ended.asked !== 1 || questions.size !== 1) && `asked ${ended.asked}, shown ${questions.size}`,
    isUnknown &&
      !died.some((point) => IN_HANDLER.test(point)) &&
      'unknown without a death in a handler',
    ended.text !== 'Order 7 was paid back.' && `ended with ${ended.text}`,
  ].filter((problem) => problem !== false)
  return {
    points,
    turn: {
      died,
      verdict: isTwice ? 'twice' : isUnknown ? 'unknown' : effects.length === 3 ? 'once' : 'lost',
      isPrefixBroken: arePrefixesBroken(prompts),
      problems,
    },
  }
}

/** Makes the files of a turn, which the workers read from now on. */
function prepare(folder: string, session: string, dies: readonly number[]): void {
  mkdirSync(join(folder, session))
  writeFileSync(join(folder, session, 'dies'), dies.join('\n'))
  writeFileSync(join(folder, 'turns'), `${readTurns(folder) + 1}`)
  writeFileSync(join(folder, 'current'), session)
}

function readTurns(folder: string): number {
  return Number(linesIn(join(folder, 'turns'))[0] ?? -1)
}

function linesIn(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}

/** Returns true if two requests of the same step differ, or one does not begin with that of the step before. */
function arePrefixesBroken(prompts: readonly string[]): boolean {
  const steps = new Map<number, string>()
  for (const prompt of prompts) {
    const messages: { role: string }[] = JSON.parse(prompt)
    const at = messages.filter(({ role }) => role === 'assistant').length
    if ((steps.get(at) ?? prompt) !== prompt) return true
    steps.set(at, prompt)
  }
  const ordered = [...steps].sort(([one], [other]) => one - other).map(([, prompt]) => prompt)
  return ordered.some((prompt, at) => !prompt.startsWith((ordered[at - 1] ?? '').slice(0, -1)))
}
