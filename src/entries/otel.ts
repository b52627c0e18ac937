export { traceWorkspace, type TraceOptions } from '../connections/wires/otel/trace-workspace.ts'
