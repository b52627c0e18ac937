import { openSkill } from '../../../engine/standing/assess-skill.ts'
import type { JsonSchema } from '../../../kernel/json-value.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import type { Skill, SkillFile } from '../../../skills/definition/skill.ts'
import { findSkillFile, isScript } from '../../../skills/find-skill-file.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { type ErrorType, ToolError } from '../../../tools/response/error-type.ts'
import { type MetaToolParts, metaTool } from './meta-tool.ts'
import type { ScriptRun } from './script-runner.ts'
import { loadedSkill, skillArgument } from './skill-argument.ts'

interface Input {
  readonly skillName: string
  readonly path: string
  readonly arguments?: readonly string[]
  readonly stdin?: string
  readonly stays?: boolean
}

const ARGUMENTS: JsonSchema = {
  type: 'array',
  items: { type: 'string', maxLength: 8_192 },
  maxItems: 100,
  description: 'Handed to the script as they are, through no shell.',
}

const STDIN: JsonSchema = {
  type: 'string',
  maxLength: 1_000_000,
  description: 'What the script reads from its standard input.',
}

const STAYS: JsonSchema = {
  type: 'boolean',
  description:
    'True for a script that starts a server: what it starts goes on until the skill is unloaded.',
}

/**
 * `runSkillScript`: runs a script that an active skill lists, if it has not changed since the activation. A
 * person is asked unless a rule of the host allows it. Throws `SCRIPTS_MISSING` for a host without a runner.
 */
export function runSkillScriptMetaTool(parts: MetaToolParts): Tool {
  const { scripts } = parts
  if (scripts === undefined) throw scriptsMissing()
  return metaTool<Input>(parts, {
    name: 'runSkillScript',
    description:
      'Run a script of a loaded skill, by a path from the list loadSkill gave. Returns its exit code and output.',
    category: 'action',
    risk: 'destructive',
    requiresConfirmation: true,
    timeoutMs: scripts.timeoutMs,
    arguments: {
      skillName: skillArgument(parts),
      path: { type: 'string', description: 'Such as scripts/report.py.' },
      arguments: ARGUMENTS,
      stdin: STDIN,
      stays: STAYS,
    },
    optional: ['arguments', 'stdin', 'stays'],
    accepted: { arguments: ARGUMENTS, stdin: STDIN, stays: STAYS },
    async execute(
      { skillName, path, arguments: given = [], stdin = '', stays = false },
      { signal, aiSdk },
    ) {
      const skill = loadedSkill(skillName, parts)
      const file = findSkillFile(skill, path)
      if (file === null || !isScript(file)) throw notAScript(skill, path)
      if (given.some((argument) => argument.includes('\0'))) {
        throw new ToolError('VALIDATION', 'An argument contains a NUL, which no program accepts.')
      }
      const request = {
        skill,
        file,
        arguments: given,
        stdin,
        signal,
        ...(stays && { stays: untilSkillLeaves(skill, parts) }),
        ...(aiSdk && { sandbox: aiSdk.experimental_sandbox }),
      }
      const run = await scripts.run(request).catch((error: unknown) => {
        throw refused(error)
      })
      return scriptResult(run, file)
    },
  })
}

/** Returns a signal that is aborted when a skill is no longer active, and when the workspace closes. */
function untilSkillLeaves({ name }: Skill, { store, closing }: MetaToolParts): AbortSignal {
  const left = new AbortController()
  const unsubscribe = store.subscribe(({ state }) => {
    if (openSkill(state, name) === null) left.abort()
  })
  const signal = AbortSignal.any([left.signal, closing])
  signal.addEventListener('abort', unsubscribe, { once: true })
  return signal
}

/** Returns the exit code, which is the script's own answer; fails when the script was ended. */
function scriptResult(run: ScriptRun, { path }: SkillFile) {
  const { ended, exitCode, signal, stdout, stderr, left, outputFile, notice } = run
  const output = { stdout, stderr, ...(notice !== undefined && { notice }) }
  switch (ended) {
    case 'exited':
      return {
        path,
        exitCode,
        ...(signal !== null && { signal }),
        ...output,
        ...(left && { ended: left, notice: LEFT_ENDED }),
      }
    case 'stays':
      return {
        path,
        ...(exitCode !== null && { exitCode }),
        ...output,
        running: [...(exitCode === null ? [path] : []), ...(left ?? [])],
        outputFile,
        notice:
          'It goes on until the skill is unloaded or the workspace closes. Its output is kept in outputFile.',
      }
    case 'timed-out':
      throw new ToolError('TIMEOUT', `"${path}" did not end within its time, and was ended.`, {
        details: { reason: 'script-timed-out', ...output },
      })
    case 'too-much-output':
      throw new ToolError('BAD_OUTPUT', `"${path}" wrote too much, and was ended.`, {
        details: { reason: 'script-flooded', ...output },
      })
    case 'aborted':
      throw new ToolError('ABORTED', `"${path}" was ended, because the call was.`, {
        details: { reason: 'script-aborted' },
      })
  }
}

const LEFT_ENDED =
  'What the script had left running was ended with it. With stays: true it goes on until the skill is unloaded.'

function notAScript({ name, files }: Skill, path: string): ToolError {
  const scripts = files.filter(isScript).map((file) => file.path)
  const listed =
    scripts.length === 0 ? 'It has no scripts.' : `Its scripts: ${scripts.slice(0, 50).join(', ')}.`
  return new ToolError(
    'NOT_FOUND',
    `The skill "${name}" lists no script "${path.slice(0, 200)}". ${listed}`,
    {
      details: { code: 'script-not-listed', skill: name, path },
    },
  )
}

const ERROR_TYPES: ReadonlyMap<string, ErrorType> = new Map([
  ['SCRIPT_CHANGED', 'CONFLICT'],
  ['SCRIPT_UNTRUSTED', 'DENIED'],
])

/** Turns the error of a runner that refused to run the script into a tool's error. */
function refused(error: unknown): unknown {
  if (!WorkspaceError.is(error)) return error
  const type = ERROR_TYPES.get(error.code) ?? 'PERMANENT'
  return new ToolError(type, error.message, {
    details: {
      ...error.facts,
      hint: error.hint,
      code: error.code.toLowerCase().replaceAll('_', '-'),
    },
  })
}

function scriptsMissing(): WorkspaceError {
  return new WorkspaceError('SCRIPTS_MISSING', 'runSkillScript needs a script runner.', {
    hint: 'Set the option "scripts" to openScriptRunner of loadout/node, or to your own runner.',
  })
}
