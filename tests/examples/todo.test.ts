import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isStepCount, ToolLoopAgent, type ModelMessage } from 'ai'
import { createCatalog, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, test } from 'vitest'
import { todoList } from '../../examples/todo/todo-list.ts'
import {
  requestsText,
  scriptedModel,
  type Said,
} from '../connections/wires/ai-sdk/scripted-model.ts'

const write = (id: string, ...todos: readonly object[]): Said => [
  { id, tool: 'todo_write', input: { todos } },
]
const tested = { content: 'Write the test', status: 'completed' }

test('the model replaces its list of tasks as one, reads it in the next request, and has it after a restart', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-todo-'))
  const catalog = await createCatalog({ components: [todoList] })
  const model = scriptedModel([
    write(
      'c1',
      { content: 'Write the test', status: 'in_progress' },
      { content: 'Fix the fault', status: 'pending' },
      { content: 'Ask Ada', status: 'pending' },
    ),
    write('c2', tested, { content: 'Fix the fault', status: 'in_progress' }),
    'The test is written.',
    write('c3', tested, { content: 'Fix the fault', status: 'done' }),
    'I go on.',
  ])
  const messages: ModelMessage[] = []
  const states: unknown[] = []
  for (const content of ['Fix the fault.', 'Go on.']) {
    await using log = await openSqliteLog(join(folder.path, 'chat.sqlite'))
    const workspace = await VirtualWorkspace.open({ catalog, log, session: 'chat' })
    states.push(workspace.exportComponent('todo'))
    const agent = new ToolLoopAgent({ model, ...forAiSdk(workspace), stopWhen: isStepCount(9) })
    messages.push({ role: 'user', content })
    messages.push(...(await agent.generate({ messages })).responseMessages)
    states.push(workspace.exportComponent('todo'))
    await workspace.close()
  }
  const kept = [tested, { content: 'Fix the fault', status: 'in_progress' }]
  expect(states).toEqual([[], kept, kept, kept])
  expect(requestsText(model)).toMatchInlineSnapshot(`
    "--- request 1
    tools: todo_write
    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## PANEL: Tasks

    \`\`\`markdown
    No tasks.
    \`\`\`
    user: Fix the fault.
    --- request 2 (all messages of the request before, then)
    tools: todo_write
    assistant calls c1: todo_write {"todos":[{"content":"Write the test","status":"in_progress"},{"content":"Fix the fault","status":"pending"},{"content":"Ask Ada","status":"pending"}]}
    tool answers c1: json {"left":3}
    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## PANEL: Tasks

    \`\`\`markdown
    [>] Write the test
    [ ] Fix the fault
    [ ] Ask Ada
    \`\`\`
    --- request 3 (all messages of the request before, then)
    tools: todo_write
    assistant calls c2: todo_write {"todos":[{"content":"Write the test","status":"completed"},{"content":"Fix the fault","status":"in_progress"}]}
    tool answers c2: json {"left":1}
    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## PANEL: Tasks

    \`\`\`markdown
    [x] Write the test
    [>] Fix the fault
    \`\`\`
    --- request 4 (all messages of the request before, then)
    tools: todo_write
    assistant: The test is written.
    user: Go on.
    --- request 5 (all messages of the request before, then)
    tools: todo_write
    assistant calls c3: todo_write {"todos":[{"content":"Write the test","status":"completed"},{"content":"Fix the fault","status":"done"}]}
    tool answers c3: error-text "VALIDATION: The arguments of \\"todo_write\\" are not valid: /todos/1/status: Invalid option: expected one of \\"pending\\"|\\"in_progress\\"|\\"completed\\". Correct the arguments and call it again.""
  `)
})
