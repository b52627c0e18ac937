import { isSkillFile, printedSkillFiles } from './read-skill-file.ts'
import { jsonIn, list, memberIn, text } from './text-in-content.ts'

type Outcome = 'ok' | 'failed' | 'refused'

/** An account of a call that the client writes next to its result. */
export interface CallItem {
  readonly outcome: Outcome
  /** The files that its command reads; null when the client does not say. */
  readonly reads: readonly string[] | null
  /** The output of its command; empty for other calls. */
  readonly output: string
}

/** Reads the item of a call that has ended: a command, a call of a server or a change of files. */
export function callItemIn(item: Readonly<Record<string, unknown>>): CallItem {
  const { status, exit_code: code, parsed_cmd: commands } = item
  const isFailed =
    status === 'failed' ||
    (typeof code === 'number' && code !== 0) ||
    memberIn(item['result'], 'isError') === true
  const reads = list(commands).filter((one) => memberIn(one, 'type') === 'read')
  return {
    outcome: status === 'declined' ? 'refused' : isFailed ? 'failed' : 'ok',
    reads: Array.isArray(commands) ? reads.map((one) => text(memberIn(one, 'path'))) : null,
    output: text(item['aggregated_output']),
  }
}

/** Returns the command that a call runs, as one text; empty for a call that runs none. */
export function commandIn(tool: string, input: unknown): string {
  // A patch has the paths of files that it changes.
  if (tool === 'apply_patch') return ''
  const command = memberIn(input, 'cmd') ?? memberIn(input, 'command') ?? input
  return [command].flat().map(text).join(' ')
}

/** Returns the paths of skill files that a call read: those that the client names, else those in its command. */
export function skillFilesReadBy(item: CallItem | undefined, command: string): readonly string[] {
  return (item?.reads ?? printedSkillFiles(command))
    .filter(isSkillFile)
    .map((path) => path.replaceAll('\\', '/'))
}

/** The line above the output of a command. */
const OUTPUT = '\nOutput:\n'

/** Returns the part of a result that a command printed. */
export function printedOutput(said: string): string {
  const above = said.indexOf(OUTPUT)
  return above < 0 ? said : said.slice(above + OUTPUT.length)
}

/**
 * Returns the outcome of a call from its item, else from its result, where the client writes the exit code of a command into
 * the text.
 *
 * @param words the text of `output`
 */
export function codexOutcome(item: CallItem | undefined, output: unknown, words: string): Outcome {
  if (item !== undefined && item.outcome !== 'ok') return item.outcome
  const [head = ''] = words.split(OUTPUT, 1)
  if (/^(?:[\w ]{0,40} )?(?:rejected|declined) by (?:the )?user/i.test(head)) return 'refused'
  const [, printed] = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(head) ?? []
  const json = words.startsWith('{') ? jsonIn(words) : undefined
  const code = printed ?? memberIn(memberIn(json, 'metadata'), 'exit_code') ?? 0
  return Number(code) !== 0 || memberIn(output, 'success') === false ? 'failed' : 'ok'
}
