import { type Attributes, context, SpanKind, trace, type Tracer } from '@opentelemetry/api'
import type { Entry, VirtualWorkspace } from '../../../entries/index.ts'
import { checkOptions } from '../../../entries/kit.ts'
import { CallSpan } from './call-span.ts'
import { isQuarantine, quarantined, traceEvent, type TraceEvent } from './trace-event.ts'

/** Options of a trace. */
export interface TraceOptions {
  /** Also record arguments, results, queries and messages of errors, redacted; false when absent. */
  readonly content?: boolean
  /** Makes the spans; `trace.getTracer('loadout')` when absent. */
  readonly tracer?: Tracer
}

/**
 * Records a workspace with OpenTelemetry, by its conventions for generative AI: a span `execute_tool` for each
 * call, refused ones included, a span `retrieval` for each search, and events for steps, skills that come and
 * go, refused commands and tools in quarantine. Returns the function that stops it; `close` of the workspace
 * stops it, too.
 *
 * Inside a span of the AI SDK for the same call, that span gets the attributes, and there is no second one.
 *
 * An event is added to the active span. Without one it is a span of its own that ends when it begins.
 */
export function traceWorkspace<Services>(
  workspace: VirtualWorkspace<Services>,
  options: TraceOptions = {},
): () => void {
  checkOptions(options, { content: 'switch', tracer: true })
  const { content = false, tracer = trace.getTracer('loadout') } = options
  const spans = new Map<string, CallSpan>()
  let isStopped = false
  const session: Attributes = {
    'gen_ai.conversation.id': workspace.session,
    ...(workspace.agent && { 'gen_ai.agent.name': workspace.agent.name }),
  }

  const stopCalls = workspace.calls.wrap(async (wrapped, run) => {
    const outer = spans.get(wrapped.request.within?.chain.at(-1) ?? '')
    const span = new CallSpan(wrapped, { workspace, tracer, session, content }, outer)
    spans.set(wrapped.call, span)
    try {
      const response = await context.with(span.context, run)
      if (isStopped) span.end()
      else span.answer(response)
    } finally {
      spans.delete(wrapped.call)
    }
  })

  const note = ({ name, attributes }: TraceEvent): void => {
    const active = trace.getSpan(context.active())
    const all = { ...session, ...attributes }
    if (active?.isRecording()) active.addEvent(name, all)
    else tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes: all }).end()
  }
  const read = (entry: Entry): void => {
    const { event } = entry
    if (event.type === 'call.started') spans.get(event.call)?.started(entry.seq, event)
    else if (event.type === 'tool_discovery_start') spans.get(event.search)?.searchStarted(event)
    else if (event.type === 'tool_discovery_result') spans.get(event.search)?.searchEnded(event)
    else {
      const found = traceEvent(entry, workspace)
      if (found !== null) note(found)
    }
  }
  // The entries of other processes are in the traces of those processes.
  const stopEntries = workspace.subscribe((_outcome, entries, origin) => {
    if (origin === 'own') entries.forEach(read)
  })

  if (workspace.notices.some(isQuarantine)) quarantined(workspace).forEach(note)
  return () => {
    isStopped = true
    stopCalls()
    stopEntries()
  }
}
