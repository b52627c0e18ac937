import type { CliContext } from '../shell/cli-context.ts'
import type { CommonOptions } from '../shell/common-options.ts'
import type { ExitCode } from '../shell/exit-code.ts'
import { jsonText } from '../shell/json-text.ts'
import type { OpenSession } from '../opening/open-session.ts'
import { paint } from '../shell/paint.ts'
import { promptReport } from './prompt-report.ts'
import { skillReports } from './skill-report.ts'
import { writeSkillTable } from './skill-table.ts'
import { toolReports } from './tool-report.ts'
import { writeToolTable } from './tool-table.ts'

/** Skills, tools and prompt at a glance: the playground where there is no terminal. */
export function overview(
  session: OpenSession,
  options: Pick<CommonOptions, 'json'>,
  context: CliContext,
): ExitCode {
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
}
