import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  context,
  type ContextManager,
  ROOT_CONTEXT,
  type Tracer,
} from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'

/** The context manager of a program with the Node SDK. */
function asyncContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) => storage.run(active, () => run.call(self, ...args)),
    bind: (_active, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

context.setGlobalContextManager(asyncContexts())

/** A tracer, with the spans that it made. */
export interface RecordedTrace {
  readonly tracer: Tracer
  /** The spans that have ended, in the order of their starts. */
  spans(): readonly ReadableSpan[]
  /** The ended spans of one operation. */
  spansOf(operation: 'execute_tool' | 'retrieval'): readonly ReadableSpan[]
  /** The names of the spans that have not ended. */
  open(): readonly string[]
  /** Everything that the spans contain, as text. */
  text(): string
}

export function recordTrace(): RecordedTrace {
  const exporter = new InMemorySpanExporter()
  const started: ReadableSpan[] = []
  const nothing = () => Promise.resolve()
  const starts: SpanProcessor = {
    onStart: (span) => void started.push(span),
    onEnd: () => undefined,
    forceFlush: nothing,
    shutdown: nothing,
  }
  const provider = new BasicTracerProvider({
    spanProcessors: [starts, new SimpleSpanProcessor(exporter)],
  })
  const spans = () => started.filter(({ ended }) => ended)
  return {
    tracer: provider.getTracer('test'),
    spans,
    spansOf: (operation) =>
      spans().filter(({ attributes }) => attributes['gen_ai.operation.name'] === operation),
    open: () => started.filter(({ ended }) => !ended).map(({ name }) => name),
    text: () =>
      JSON.stringify(
        started.map(({ name, attributes, events, status, links }) => ({
          name,
          attributes,
          events,
          status,
          links,
        })),
      ),
  }
}

/** The details that an outline shows of each span: its events, and some of its attributes. */
interface Details {
  readonly events?: boolean
  attributes?(name: string): boolean
}

/** Writes spans as an outline: each line a name, indented below its parent. */
export function outline(spans: readonly ReadableSpan[], details: Details = {}): string {
  const ids = new Set(spans.map((span) => span.spanContext().spanId))
  const isRoot = ({ parentSpanContext }: ReadableSpan) => !ids.has(parentSpanContext?.spanId ?? '')
  const written = (one: ReadableSpan, indent: string): string => {
    const events = details.events ? one.events.map(({ name }) => `event ${name}`) : []
    const attributes = Object.entries(one.attributes).flatMap(([name, value]) =>
      details.attributes?.(name) ? `${name} ${String(value)}` : [],
    )
    const below = spans.filter(
      ({ parentSpanContext }) => parentSpanContext?.spanId === one.spanContext().spanId,
    )
    return [
      `${indent}${one.name}\n`,
      ...[...events, ...attributes].map((line) => `${indent}  ${line}\n`),
      ...below.map((span) => written(span, `${indent}  `)),
    ].join('')
  }
  return spans
    .filter(isRoot)
    .map((span) => written(span, ''))
    .join('')
}
