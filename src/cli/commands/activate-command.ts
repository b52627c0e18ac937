import { allowedToolsReason } from '../../engine/explain/allowed-tools-reason.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { commonOptions, type CommonOptions } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { activate, openSession } from '../opening/open-session.ts'
import { splitSkills } from './split-skills.ts'

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
    for (const skill of skills) await activate(workspace, skill)
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
