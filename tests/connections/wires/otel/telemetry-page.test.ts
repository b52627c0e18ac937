import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineSkill, defineTool } from 'loadout'
import { traceWorkspace } from 'loadout/otel'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { PROJECT } from '../../../../scripts/run-command.ts'
import { aWorkspace } from '../../../workspace/a-workspace.ts'
import { outline, recordTrace } from './record-trace.ts'

const page = readFileSync(join(PROJECT, 'docs/telemetry.md'), 'utf8').replace(/\r/g, '')

/** The first block of code of the page in some language. */
function block(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? ''
}

test('the code of the page gives the trace of the page', async () => {
  const add = defineTool({
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => a + b,
  })
  const sums = defineSkill({ name: 'sums', description: 'For sums.', tools: [add] })
  const workspace = await aWorkspace(
    { skills: [sums] },
    { metaTools: ['loadSkill', 'tool_search'] },
  )
  const { tracer, spans } = recordTrace()
  const traced = (one: typeof workspace) => traceWorkspace(one, { tracer })
  const code = block('ts').replace(/^import .*$/gm, '')
  const run = new Function(
    'workspace',
    'traceWorkspace',
    'trace',
    `return (async () => {${code}})()`,
  )
  await run(workspace, traced, { getTracer: () => tracer })
  const shown = (name: string) => name === 'loadout.reason'
  expect(outline(spans(), { events: true, attributes: shown })).toBe(block('text'))
})

test('every attribute and event of the page is recorded by the sources, and the reverse', () => {
  const sources = ['call-span', 'trace-event', 'trace-workspace']
    .map((name) => readFileSync(join(PROJECT, `src/connections/wires/otel/${name}.ts`), 'utf8'))
    .join('\n')
  const inSources = [...sources.matchAll(/'((?:gen_ai|loadout)\.[\w.]+)'/g)].map(([, name]) => name)
  const events = [...sources.matchAll(/eventOf\('([\w.]+)'/g)].map(([, name]) => `loadout.${name}`)
  const onPage = [...page.matchAll(/`((?:gen_ai|loadout)\.[\w.]+)`/g)].map(([, name]) => name)
  expect(new Set(onPage)).toEqual(new Set([...inSources, ...events]))
})
