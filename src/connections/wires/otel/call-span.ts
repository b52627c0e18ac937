import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import type { WrappedCall } from '../../../entries/adapter.ts'
import type { ToolResponse, VirtualWorkspace, WorkspaceEvent } from '../../../entries/index.ts'
import { isObject, tryOrUndefined } from '../../../entries/kit.ts'

/** The trace that a span belongs to. */
export interface CallTrace {
  readonly workspace: Pick<VirtualWorkspace, 'getToolSource' | 'getAvailableTools' | 'explain'>
  readonly tracer: Tracer
  /** The attributes of the session. */
  readonly session: Attributes
  /** True to record texts that models, tools and errors write. */
  readonly content: boolean
}

type Entered<Type> = Extract<WorkspaceEvent, { readonly type: Type }>

/** The name of a tool that nobody has defined: a model may write anything as a name. */
const OTHER = '_OTHER'

/** The span of one call: its own, or that of the AI SDK for the same call. */
export class CallSpan {
  /** The context of the call: spans that are made in it are within this one. */
  readonly context: Context
  readonly #call: WrappedCall
  readonly #trace: CallTrace
  readonly #span: Span
  readonly #isOwn: boolean
  #hasStarted = false
  #search: Span | undefined

  /** @param outer the call that makes this one, if a handler makes it */
  constructor(call: WrappedCall, given: CallTrace, outer: CallSpan | undefined) {
    this.#call = call
    this.#trace = given
    const { tool, input, caller } = call.request
    const active = trace.getSpan(context.active())
    const { workspace, content } = given
    const isKnown =
      content ||
      workspace.getToolSource(tool) !== null ||
      workspace.explain(tool).status !== 'unknown'
    this.#isOwn = !isSpanOfSdk(active, call)
    if (active !== undefined && !this.#isOwn) {
      this.#span = active
      this.context = context.active()
    } else {
      // A program without a context manager has no active span.
      const parent = active === undefined ? (outer?.context ?? context.active()) : context.active()
      this.#span = startCallSpan(
        isKnown ? call.redact(tool) : OTHER,
        call.call,
        given.tracer,
        parent,
      )
      this.context = trace.setSpan(parent, this.#span)
    }
    this.#span.setAttributes({
      ...given.session,
      'loadout.caller': caller,
      ...(isKnown && { 'loadout.tool': call.redact(tool) }),
      ...this.#contentOf('gen_ai.tool.call.arguments', input),
    })
  }

  /** Adds the facts of the call that the log has when it starts. */
  started(seq: number, { tool, source, owner }: Entered<'call.started'>): void {
    const { redact } = this.#call
    const defined = this.#trace.workspace.getAvailableTools().find(({ name }) => name === tool)
    const name = redact(tool)
    this.#hasStarted = true
    this.#span.setAttributes({
      ...(defined && { 'gen_ai.tool.description': redact(defined.description) }),
      'loadout.tool': name,
      ...redact(ownerAttributes({ source, owner })),
      'loadout.entry.seq': seq,
    })
    if (!this.#isOwn) return
    this.#span.updateName(`execute_tool ${name}`).setAttribute('gen_ai.tool.name', name)
  }

  /** Begins the span of the search that this call makes. */
  searchStarted({ query }: Entered<'tool_discovery_start'>): void {
    const { tracer, session } = this.#trace
    const attributes = {
      ...session,
      'gen_ai.operation.name': 'retrieval',
      ...this.#contentOf('gen_ai.retrieval.query.text', query),
    }
    const options = { kind: SpanKind.INTERNAL, attributes }
    this.#search = tracer.startSpan('retrieval', options, this.context)
  }

  searchEnded(event: Entered<'tool_discovery_result'>): void {
    const { found, skills, confidence, route, stopped } = event
    const documents = [...found.map(({ name }) => name), ...skills].map((id) => ({ id }))
    this.#search?.setAttributes({
      'loadout.search.found': documents.length,
      'loadout.search.confidence': confidence,
      'loadout.search.route': route,
      ...(stopped !== null && { 'loadout.reason': stopped }),
      ...this.#contentOf('gen_ai.retrieval.documents', documents),
    })
    this.#endSearch()
  }

  /** Adds the answer, and ends the span. */
  answer(response: ToolResponse): void {
    // A handler may put anything into the facts of its own result.
    const isRecorded = !this.#hasStarted && response.meta['recorded'] === true
    if (isRecorded) this.#span.setAttribute('loadout.recorded', true)
    if (response.ok) {
      this.#span.setAttributes(this.#contentOf('gen_ai.tool.call.result', response.data))
    } else {
      if (!this.#hasStarted && !isRecorded) this.#noteRefusal(response)
      const { type, message } = response.error
      // A question to a person is no failure.
      if (type !== 'CONFIRMATION_REQUIRED') {
        const text = this.#trace.content ? { message: this.#call.redact(message) } : {}
        this.#span.setAttribute('error.type', type)
        this.#span.setStatus({ code: SpanStatusCode.ERROR, ...text })
      }
    }
    this.end()
  }

  /** Ends the span unless the AI SDK does. */
  end(): void {
    this.#endSearch()
    if (this.#isOwn) this.#span.end()
  }

  #noteRefusal({ error: { type, details }, meta }: Extract<ToolResponse, { ok: false }>): void {
    const { redact, request } = this.#call
    const owned = this.#trace.workspace.getToolSource(request.tool)
    this.#span.setAttributes({
      // Without a code the caller gave up before the call was judged.
      'loadout.reason': String(details['code'] ?? type),
      ...(owned && redact(ownerAttributes(owned))),
      ...(meta.seq !== undefined && { 'loadout.entry.seq': meta.seq }),
    })
  }

  #endSearch(): void {
    this.#search?.end()
    this.#search = undefined
  }

  /** Returns an attribute with redacted JSON; none for a value that is no JSON, or when content is not recorded. */
  #contentOf(name: string, value: unknown): Attributes {
    if (!this.#trace.content) return {}
    const text = tryOrUndefined(() => JSON.stringify(this.#call.redact(value)))
    return text === undefined ? {} : { [name]: text }
  }
}

function startCallSpan(tool: string, call: string, tracer: Tracer, parent: Context): Span {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': call,
  }
  const name = tool === OTHER ? 'execute_tool' : `execute_tool ${tool}`
  return tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }, parent)
}

/**
 * Returns true for the span in which the AI SDK makes a call. It has the id of the call; the adapter gives no
 * id for a call that a history falsely shows as approved, so then the name decides.
 *
 * The interface of a span has no attributes to read. Those of the OpenTelemetry SDK have.
 */
function isSpanOfSdk(span: Span | undefined, { request }: WrappedCall): boolean {
  if (span === undefined || !('attributes' in span) || !isObject(span.attributes)) return false
  const { attributes } = span
  if (attributes['gen_ai.operation.name'] !== 'execute_tool') return false
  return request.call === undefined
    ? request.caller === 'model' &&
        attributes['gen_ai.tool.name'] === (request.bridge ?? request).tool
    : attributes['gen_ai.tool.call.id'] === request.call
}

/** The attributes of an owner of tools. */
export function ownerAttributes({ source, owner }: Record<'source' | 'owner', string>): Attributes {
  return {
    'loadout.source': source,
    'loadout.owner': owner,
    ...(source === 'skill' && { 'loadout.skill': owner }),
  }
}
