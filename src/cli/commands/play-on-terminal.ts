import { activeSkills } from '../../engine/standing/skill-standing.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { CliContext, CliTerminal } from '../shell/cli-context.ts'
import { counted } from '../shell/counted.ts'
import { keptLine } from './kept-line.ts'
import { openingRemark } from './opening-remark.ts'
import type { OpenSession } from '../opening/open-session.ts'
import type { PlayOptions } from './play-options.ts'

/** Open the playground on a terminal; afterwards say in a line what it was left with. */
export async function playOnTerminal(
  session: OpenSession,
  terminal: CliTerminal,
  moment: { readonly live: boolean; readonly at?: number },
  typed: { readonly words: readonly string[]; readonly options: PlayOptions },
  { env, colour, stdout }: CliContext,
): Promise<void> {
  const { options } = typed
  const { workspace, counter, project, paths, reading, options: opened } = session
  const { loadPlayground } = await import('../../playground/load-playground.ts')
  const { openPlayground } = await loadPlayground(colour ? 'terminal' : 'none')
  const left = await openPlayground({
    ...moment,
    ...terminal,
    env,
    workspace,
    counter,
    inline: options.inline === true,
    mouse: options.mouse,
    screenReader: options.screenReader === true,
    theme: { ascii: options.ascii === true, colour },
    followed: opened.follow === true,
    remark: openingRemark(project),
    disk: moment.live ? { project, paths, reading, options: opened } : null,
  })
  const active = activeSkills(left.state).map(sanitiseLine)
  const skills = active.length === 0 ? 'no skill' : active.join(', ')
  stdout.write(`Left with ${skills} active: ${counted(left.getAvailableTools().length, 'tool')}.\n`)
  const kept = await keptLine(session, left, typed)
  await left.close()
  if (kept !== null) stdout.write(`${kept}\n`)
}
