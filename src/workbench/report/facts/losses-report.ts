import type { Entry, WorkspaceEvent } from '../../../entries/index.ts'
import {
  counted,
  formatCount,
  keptText,
  requestText,
  type StepUsage,
  type UsageReport,
} from '../../../entries/plan.ts'
import type { Report, ReportNode } from '../report.ts'
import { describeLosses, lostText } from './cause-of-loss.ts'
import { cachedStep } from './request-report.ts'

type BegunStep = Extract<WorkspaceEvent, { readonly type: 'step.begun' }>

/** Lists the requests of a session: what each kept of the one before, and what its provider reported. */
export function lossesReport(entries: readonly Entry[], usage: UsageReport): Report {
  const begun = entries.flatMap(({ event }) => (event.type === 'step.begun' ? event : []))
  const reported = new Map(usage.steps.map((one) => [one.step, one]))
  const why = new Map(describeLosses(entries).map((one) => [one.step, one.why]))
  const { total, predicted, steps } = usage
  const deviations = steps.flatMap(({ deviation }) => deviation ?? [])
  const whole: ReportNode = {
    kind: 'text',
    text: `${counted(steps.length, 'answer')} with a report: ${formatCount(total.input)} input tokens (predicted ${formatCount(predicted.input)}), ${formatCount(total.cached)} cached (predicted ${formatCount(predicted.cached)}), ${formatCount(total.written)} written, ${formatCount(total.output)} output (${formatCount(total.reasoning)} reasoning); ${counted(deviations.length, 'difference')}.`,
  }
  const below = entries.flatMap(({ event }) => (event.type === 'child.ended' ? event.spent : []))
  const children: ReportNode = {
    kind: 'text',
    text: `Child sessions: ${counted(sum(below, 'steps'), 'request')} of ${formatCount(sum(below, 'tokens'))} tokens.`,
  }
  return [
    ...begun.flatMap((one) => stepNodes(one, why.get(one.step) ?? null, reported.get(one.step))),
    ...(steps.length === 0
      ? [{ kind: 'text', text: 'No provider reported the tokens of a request.' } as const]
      : [whole]),
    ...(below.length === 0 ? [] : [children]),
  ]
}

function sum<Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name) {
  return all.reduce((total, one) => total + one[name], 0)
}

function stepNodes(
  { step, strategy, cost }: BegunStep,
  why: string | null,
  usage?: StepUsage,
): Report {
  const title = `step ${step} (${strategy})`
  const nodes = usage === undefined ? [] : usageNodes(usage)
  if (cost === undefined) return [{ kind: 'text', text: `${title}: no cost in the log` }, ...nodes]
  const { changed, lost } = cost
  const from =
    changed === null ? '' : `, lost from ${changed.segment} "${changed.part}" on: ${lostText(lost)}`
  const first = `${title}: ${requestText({ cost })}, ${keptText(cachedStep({ strategy }, cost))}${from}`
  const cause =
    why === null ? [] : [{ kind: 'text', text: `LOST: ${why}`, indented: true } as const]
  return [{ kind: 'text', text: first }, ...cause, ...nodes]
}

function usageNodes({ model, reported, deviation }: StepUsage): Report {
  const { input, cached, written, output, reasoning } = reported
  const parts = [
    `${formatCount(input)} input`,
    ...(cached === undefined ? [] : [`${formatCount(cached)} cached`]),
    ...(written === undefined ? [] : [`${formatCount(written)} written`]),
    `${formatCount(output)} output`,
    ...(reasoning === undefined ? [] : [`${formatCount(reasoning)} reasoning`]),
  ]
  const by = model === null ? '' : ` by ${model}`
  const said = { kind: 'text', text: `reported${by}: ${parts.join(', ')}`, indented: true } as const
  if (deviation === null) return [said]
  const { kind, expected, why } = deviation
  const text = `DIFFERS (${kind}): about ${formatCount(expected)} cached tokens were expected. ${why}`
  return [said, { kind: 'text', text, indented: true }]
}
