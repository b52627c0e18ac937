import { tryOrUndefined } from '../../../entries/kit.ts'
import { list, memberIn, text } from './text-in-content.ts'

type Outcome = 'ok' | 'failed' | 'refused'

/** An account of a call that the client writes next to its result. */
export interface CallItem {
  readonly outcome: Outcome
  /** The files that its command reads; null when the client does not say. */
  readonly reads: readonly string[] | null
  /** What its command printed; empty for other calls. */
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
 * @param said the text of `output`
 */
export function codexOutcome(item: CallItem | undefined, output: unknown, said: string): Outcome {
  if (item !== undefined && item.outcome !== 'ok') return item.outcome
  const [head = ''] = said.split(OUTPUT, 1)
  if (/^(?:[\w ]{0,40} )?(?:rejected|declined) by (?:the )?user/i.test(head)) return 'refused'
  const [, printed] = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(head) ?? []
  const json = said.startsWith('{') ? tryOrUndefined(() => JSON.parse(said) as unknown) : undefined
  const code = printed ?? memberIn(memberIn(json, 'metadata'), 'exit_code') ?? 0
  return Number(code) !== 0 || memberIn(output, 'success') === false ? 'failed' : 'ok'
}
