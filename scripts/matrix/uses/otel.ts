import { trace, type Tracer } from '@opentelemetry/api'
import { traceWorkspace } from 'loadout/otel'
import { open } from './loopback.ts'

const names: string[] = []
const plain = trace.getTracer('matrix')
const tracer: Tracer = Object.assign(Object.create(plain), {
  startSpan(name: string) {
    names.push(name)
    return plain.startSpan(name)
  },
})
const workspace = await open()
traceWorkspace(workspace, { tracer })
await workspace.activateSkill('sums')
await workspace.callTool('double', { n: 21 })
await workspace.close()
console.log(JSON.stringify(names.includes('execute_tool double')))
