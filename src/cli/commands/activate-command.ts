import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { activateAsUser, openSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { allowedToolsReason } from '../../engine/explain/explain-skill.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** `loadout activate`: what activating skills changes, and what that costs. */
export const activateCommand: CliCommand<CommonOptions> = {
  name: 'activate',
  summary: 'activate skills and print the difference and its price',
  description: `Activate skills in order, as the user, and print what changed in tools and prompt. The first one that is refused ends the command with exit code 1; those before it stay activated.

An argument that begins with a dot, has a path separator, or is there on disk is a path; any other is a skill. With --path every argument is a skill.

With --log the session in the file is continued, or begun; with --at, too, it is only tried on a copy. Tokens are those of the prompt and of the definitions of the available tools, together.`,
  arguments: '<skill...>',
  options: commonOptions,
  examples: ['loadout activate data-analysis web-reader examples/workbench --log run.jsonl'],
  async run({ words, options, context }) {
    const { skills, paths } = await splitSkills(words, options.path !== undefined, context.cwd)
    const { workspace, counter } = await openSession(paths, options, context, 'change')
    const { seq } = workspace.state
    const before = { document: workspace.prompt().document, tools: workspace.getAvailableTools() }
    for (const skill of skills) await activateAsUser(workspace, skill)
    const after = { document: workspace.prompt().document, tools: workspace.getAvailableTools() }
    const { activationReport, writeActivation } = await import('./activation-report.ts')
    const report = activationReport(before, after, counter)
    const allowedTools = effectsSince(seq, workspace)
    if (options.json) {
      const { added, removed, tokens, sections } = report
      const told = sections.map(({ id, title, before, after, kind }) => {
        return { id, title, before, after, kind }
      })
      context.stdout.write(jsonText({ added, removed, tokens, sections: told, allowedTools }))
    } else {
      writeActivation(report, context)
      for (const { skill, effect } of allowedTools) {
        context.stdout.write(`${sanitiseLine(`${skill}: ${effect}`)}\n`)
      }
    }
    await workspace.close()
    return 0
  },
}

/** What the `allowed-tools` of the skills that came come to, for those that have some. */
function effectsSince(
  seq: number,
  { state, catalog }: VirtualWorkspace,
): readonly { readonly skill: string; readonly effect: string }[] {
  const came = state.open.filter(({ source, since }) => source === 'skill' && since > seq)
  return came.flatMap((source) =>
    allowedToolsReason(source, state, { catalog }).map(({ text }) => ({
      skill: source.owner,
      effect: text,
    })),
  )
}

/** Names of skills and paths that were typed in one row. */
interface SkillsAndPaths {
  readonly skills: readonly string[]
  readonly paths: readonly string[]
}

/**
 * Tell names of skills from paths: what begins with a dot, has a separator or is there on disk
 * is a path. Where paths were given apart, everything is a name.
 */
export async function splitSkills(
  words: readonly string[],
  pathsApart: boolean,
  cwd: string,
): Promise<SkillsAndPaths> {
  const skills: string[] = []
  const paths: string[] = []
  for (const word of words) {
    const isPath =
      !pathsApart &&
      (word.startsWith('.') ||
        /[\\/]/.test(word) ||
        (await stat(resolve(cwd, word)).catch(() => null)) !== null)
    if (isPath) paths.push(word)
    else skills.push(word)
  }
  if (skills.length > 0) return { skills, paths }
  throw wrongUsage(
    `No skill is named: ${paths.map((path) => `"${path}"`).join(', ')} ${paths.length === 1 ? 'is a path' : 'are paths'}.`,
    'Give the paths with --path; then every argument is the name of a skill.',
  )
}
