import fc from 'fast-check'
import { createMemoryLog, VirtualWorkspace } from 'loadout'
import { META_TOOL_NAMES } from 'loadout/adapter'
import { traceWorkspace } from 'loadout/otel'
import { expect, test } from 'vitest'
import {
  deeds,
  hookScript,
  type HookStage,
  stagedCatalog,
} from '../../../workspace/random-session.ts'
import { recordTrace } from './record-trace.ts'

const META = new Set<string>(META_TOOL_NAMES)

test('every request of a call has one span, and the log has as many starts, refusals and questions', async () => {
  const counts = { started: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(hookScript, deeds, fc.nat(100), async (script, acts, closeAt) => {
      const stage: HookStage = { script: [...script] }
      const workspace = await VirtualWorkspace.open({
        catalog: await stagedCatalog(stage),
        agent: 'tester',
        log: createMemoryLog(),
        limits: { hookTimeoutMs: 5 },
      })
      stage.workspace = workspace
      const recorded = recordTrace()
      traceWorkspace(workspace, { tracer: recorded.tracer })
      const calls: string[] = []
      workspace.calls.wrap(({ call }) => calls.push(call))
      // A few at once, and closed while some are running.
      for (let index = 0; index < acts.length; index += 2) {
        const tools = workspace.getAvailableTools().filter(({ name }) => !META.has(name))
        const tool = tools[index % tools.length]?.name ?? 'none'
        const acted = acts.slice(index, index + 2).map(({ deed }) => deed(workspace))
        acted.push(workspace.callTool(tool, {}, { caller: 'model' }))
        if (index >= closeAt) await workspace.close()
        await Promise.allSettled(acted)
      }
      await workspace.close()
      const spans = recorded.spansOf('execute_tool')
      expect(recorded.open()).toEqual([])
      expect(spans.map(({ attributes }) => attributes['gen_ai.tool.call.id']).toSorted()).toEqual(
        calls.toSorted(),
      )
      const entries = await workspace.entries()
      const seqsOf = (refused: boolean) =>
        spans
          .filter(({ attributes }) => 'loadout.reason' in attributes === refused)
          .map(({ attributes }) => attributes['loadout.entry.seq'])
      const started = entries.filter(({ event }) => event.type === 'call.started')
      expect(new Set(seqsOf(false))).toEqual(new Set(started.map(({ seq }) => seq)))
      expect(seqsOf(false)).toHaveLength(started.length)
      // A call whose tool was replaced after the check is checked again: its refusal is not its end.
      const refused = entries.filter(
        ({ event }) =>
          event.type === 'confirmation.asked' ||
          (event.type === 'command.refused' &&
            event.command === 'call.start' &&
            event.code !== 'changed'),
      )
      // A call of a found tool may also be refused because its skill could not be activated.
      const seqs = seqsOf(true)
      expect(refused.filter(({ seq }) => !seqs.includes(seq))).toEqual([])
      counts.started += started.length
      counts.refused += refused.length
    }),
    { numRuns: 80 },
  )
  expect(counts.started).toBeGreaterThan(50)
  expect(counts.refused).toBeGreaterThan(50)
})
