import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { ToolLoopAgent, type UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { requestsOf, scriptedModel } from './scripted-model.ts'

const write = defineTool({
  name: 'write',
  description: 'Writes a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: ({ path }) => path,
  preview: ({ path }) => ({ path, before: 'one\ntwo', after: 'one\nthree\u001B[2J' }),
})

const isConfig = ({ path }: { path: string }) => path.endsWith('.env') && 'it has secrets'

test('the approval part of the SDK has the rule, its reason and the preview, and no request has them', async () => {
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [write] }),
    policy: { permissions: { ask: [{ tool: 'write', when: isConfig }] } },
  })
  const calls = ['a.env', 'b.txt'].map((path, at) => ({
    id: `c${at}`,
    tool: 'write',
    input: { path },
  }))
  const model = scriptedModel([calls, 'Done.', 'Done.'])
  const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace) })
  const result = await agent.stream({ prompt: 'Write both.' })
  const chunks: UIMessageChunk[] = []
  for await (const chunk of result.toUIMessageStream()) chunks.push(chunk)
  const requests = chunks.filter(({ type }) => type === 'tool-approval-request')
  expect(requests).toMatchObject([{ toolCallId: 'c0' }])
  const [request] = requests
  expect(request?.type === 'tool-approval-request' && request.reason).toMatchInlineSnapshot(`
    "Asked by the rule: "write" when isConfig says so: it has secrets
    --- a.env
    +++ a.env
    @@ line 1 @@
     one
    -two
    +three<U+001B>[2J"
  `)
  const approval = (await result.content).find(({ type }) => type === 'tool-approval-request')
  const approvalId = approval?.type === 'tool-approval-request' ? approval.approvalId : ''
  const answer = { type: 'tool-approval-response' as const, approvalId, approved: true }
  const messages = [
    { role: 'user' as const, content: 'Write both.' },
    ...(await result.responseMessages),
    { role: 'tool' as const, content: [answer] },
  ]
  await (await agent.stream({ messages })).consumeStream()
  expect(JSON.stringify(requestsOf(model))).toContain('a.env')
  expect(JSON.stringify(requestsOf(model))).not.toContain('three')
  expect(workspace.state.confirmations).toEqual([])
})
