import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScriptRun, Skill } from 'loadout'
import {
  loadSkills,
  openScriptRunner,
  openTrustStore,
  type ScriptRunnerOptions,
} from 'loadout/node'
import { skillText, temporaryFolder, type Tree } from '../temporary-folder.ts'

/**
 * A skill on disk with these scripts, trusted at its current digest, and a runner for them in a
 * folder next to it.
 */
export async function aScriptedSkill(scripts: Tree, options: Partial<ScriptRunnerOptions> = {}) {
  const tree = Object.entries(scripts).map(([name, text]) => [`skills/s/scripts/${name}`, text])
  const root = await temporaryFolder({
    'skills/s/SKILL.md': skillText('s'),
    ...(Object.fromEntries(tree) as Tree),
  })
  const cwd = await temporaryFolder()
  const trust = openTrustStore({ file: join(await temporaryFolder(), 'trust.json') })
  const skills = join(root, 'skills')
  await trust.trust(skills)
  const { skills: loaded } = await loadSkills([skills])
  const skill = loaded[0] as Skill
  const runner = openScriptRunner({ trust, cwd, ...options })
  const run = (
    script: string,
    { given = [], stdin = '', signal = new AbortController().signal }: Given = {},
  ): Promise<ScriptRun> => {
    const file = skill.files.find(({ path }) => path === `scripts/${script}`)
    if (!file) throw new Error(`no script ${script}`)
    return runner.run({ skill, file, arguments: given, stdin, signal })
  }
  return { root, skills, folder: join(skills, 's/scripts'), cwd, trust, skill, runner, run }
}

interface Given {
  readonly given?: readonly string[]
  readonly stdin?: string
  readonly signal?: AbortSignal
}

/** Returns true while a process is running; one that has ended and was not waited for is not. */
export function isRunning(pid: number): boolean {
  try {
    const [, state] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')
    return state?.startsWith('Z') === false
  } catch {
    return false
  }
}
