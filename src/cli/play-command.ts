import type { CliCommand } from './cli-command.ts'
import { commonOptions, type CommonOptions } from './common-options.ts'
import { jsonText } from './json-text.ts'
import { openSession } from './open-session.ts'
import { paint } from './paint.ts'
import { promptReport } from './prompt-report.ts'
import { skillReports } from './skill-report.ts'
import { writeSkillTable } from './skill-table.ts'
import { toolReports } from './tool-report.ts'
import { writeToolTable } from './tool-table.ts'

/** `loadout play`, and `loadout` alone: skills, tools and prompt at a glance. */
export const playCommand: CliCommand<CommonOptions> = {
  name: 'play',
  summary: 'show skills, tools and prompt at a glance (what "loadout" alone does)',
  description: 'Show the skills, the tools and the prompt of the nearest skills, or of the paths.',
  arguments: '[paths...]',
  options: commonOptions,
  examples: ['loadout examples/workbench --trust --agent assistant'],
  async run({ words, options, context }) {
    const session = await openSession(words, options, context)
    const skills = skillReports(session)
    const tools = toolReports(session)
    if (options.json) {
      const prompt = promptReport(session.workspace.prompt())
      context.stdout.write(jsonText({ skills, tools, prompt }))
      return 0
    }
    const title = (text: string) => context.stdout.write(`${paint(text, 'bold', context)}\n`)
    title(`Skills (${skills.length})`)
    writeSkillTable(skills, context)
    title(`\nTools (${tools.filter(({ available }) => available).length} of ${tools.length})`)
    writeToolTable(tools, context)
    const { tokens, tokenizer } = promptReport(session.workspace.prompt())
    title(`\nPrompt (${tokens} tokens, ${tokenizer})`)
    context.stdout.write(session.workspace.render())
    return 0
  },
}
