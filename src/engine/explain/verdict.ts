import type { FieldChange } from '../../catalog/diff-fields.ts'
import type { ToolSource } from '../model/source-event.ts'
import type { SkillStatus } from '../standing/assess-skill.ts'
import type { CallProspect } from '../standing/call-prospect.ts'
import { type FilePlace, filePlace, placeText } from '../../kernel/diagnostic.ts'
import type { ServerHealth } from '../../tools/definition/tool-server.ts'
import type { ToolStatus } from '../standing/tool-status.ts'

/**
 * The one answer about a name, for a caller, in a state: a status with the entries that led there, what is still open
 * about a call, and the way to change it.
 */
export interface Verdict<Status = ToolStatus | SkillStatus> extends CallProspect {
  readonly name: string
  readonly kind: 'tool' | 'skill'
  readonly status: Status
  readonly source: ToolSource | null
  readonly owner: string | null
  /** True when the last step sent a registered tool to the model. Calls are judged without it. */
  readonly exposed?: boolean
  /** The name under which the provider of the session gets the tool, where it is another one. */
  readonly sentAs?: string
  /** The differences of the schema that the provider of the session gets, one sentence each; absent if there are none. */
  readonly sentChanges?: readonly string[]
  /** The connection of this process to the server of a tool; absent for other tools, and where no process is connected. */
  readonly health?: ServerHealth
  /** In the order it happened. Each number is an entry of the log. */
  readonly because: readonly Reason[]
  /**
   * The way to change the status, or to get an available tool to the model; empty when nothing has to be
   * done.
   */
  readonly fix: string
  /** The advice that a model reads in refusals; absent for the same as `fix`. */
  readonly forModel?: string
  /**
   * The differences of a definition in quarantine: of a tool from the definition that was agreed
   * to, of a skill from the one that was activated.
   */
  readonly changes?: readonly FieldChange[]
  /** The nearest names, for a name that is not known. */
  readonly nearest: readonly string[]
}

/** @deprecated Use `Verdict`, its new name. */
export type Explanation<Status = ToolStatus | SkillStatus> = Verdict<Status>

/**
 * One reason: an entry of the log, and its meaning for this status. It has the file, and the line in it, of the rule or
 * list that decided, where this process read it from one.
 */
export interface Reason extends Partial<FilePlace> {
  readonly seq: number
  readonly text: string
  /** It quotes a file or an error of the host. A model reads refusals, so no refusal has it. */
  readonly forHost?: true
}

/** Writes a reason with its entry, and with the place of its rule. The text is not sanitised. */
export function reasonText({ seq, text, file, line }: Reason): string {
  const place = filePlace({ file, line })
  return `#${seq} ${text}${place === undefined ? '' : ` (${placeText(place)})`}`
}

/** Returns the place of the last reason that has one: the nearest to the decision. */
export function decidingPlace({ because }: Pick<Verdict, 'because'>): FilePlace | undefined {
  return filePlace(because.findLast(({ file }) => file !== undefined) ?? {})
}
