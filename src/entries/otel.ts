export { traceWorkspace, type TraceOptions } from '../adapters/otel/trace-workspace.ts'
