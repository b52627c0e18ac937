import { generateText, isStepCount, streamText, ToolLoopAgent } from 'ai'
import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test, vi } from 'vitest'
import { openOffice } from './an-office.ts'
import { requestsText, scriptedModel, type Said } from './scripted-model.ts'

const loadAndRead: readonly Said[] = [
  [{ id: 'c1', tool: 'loadSkill', input: { skillName: 'pdf' } }],
  [{ id: 'c2', tool: 'readPdf', input: { file: 'a.pdf' } }],
  'It has three pages.',
]

test('a skill loaded in the middle of a run brings its tools to the next request', async () => {
  const model = scriptedModel(loadAndRead)
  const agent = new ToolLoopAgent({ model, ...forAiSdk(await openOffice()) })
  const { text } = await agent.generate({ prompt: 'How long is a.pdf?' })
  expect(text).toBe('It has three pages.')
  expect(requestsText(model)).toMatchInlineSnapshot(`
    "--- request 1
    tools: loadSkill loadSkillFile unloadSkill clock
    system: You help in an office.

    ## Skill catalog

    Skills that can be loaded, by id:

    - \`bin\`: Destroys files.
    - \`pdf\`: Works with PDF files.

    ## Loading skills

    A skill brings instructions and tools that are not here until it is loaded. When a request fits a skill, call \`loadSkill\` with its id before you go on. Several may be loaded at once. Deactivate one you no longer need with \`unloadSkill\`; its tools go with it.


    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## Available tools

    - \`clock\`: Tell the time.
    user: How long is a.pdf?
    --- request 2 (all messages of the request before, then)
    tools: loadSkill loadSkillFile unloadSkill clock readPdf
    assistant calls c1: loadSkill {"skillName":"pdf"}
    tool answers c1: json {"skill":"pdf","displayName":"Pdf","alreadyLoaded":false,"instructions":"Read before you answer.","tools":[{"name":"readPdf","status":"available","summary":"Read a PDF file."}],"files":[]}
    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## SKILL TOOLS: Pdf

    - \`readPdf\`: Read a PDF file.
    --- request 3 (all messages of the request before, then)
    tools: loadSkill loadSkillFile unloadSkill clock readPdf
    assistant calls c2: readPdf {"file":"a.pdf"}
    tool answers c2: json {"file":"a.pdf","pages":3}"
  `)
})

test('generateText and streamText get the requests that an agent gets', async () => {
  const agent = scriptedModel(loadAndRead)
  await new ToolLoopAgent({ model: agent, ...forAiSdk(await openOffice()) }).generate({
    prompt: 'How long is a.pdf?',
  })
  const plain = scriptedModel(loadAndRead)
  await generateText({
    model: plain,
    ...forAiSdk(await openOffice()),
    prompt: 'How long is a.pdf?',
    stopWhen: isStepCount(9),
  })
  const streamed = scriptedModel(loadAndRead)
  const { stream } = streamText({
    model: streamed,
    ...forAiSdk(await openOffice()),
    prompt: 'How long is a.pdf?',
    stopWhen: isStepCount(9),
  })
  const results: string[] = []
  for await (const part of stream) if (part.type === 'tool-result') results.push(part.toolName)
  expect(results).toEqual(['loadSkill', 'readPdf'])
  expect(requestsText(plain)).toBe(requestsText(agent))
  expect(requestsText(streamed)).toBe(requestsText(agent))
})

test('a skill that is deactivated in the middle of a run removes its tools', async () => {
  const model = scriptedModel([
    [{ id: 'c1', tool: 'loadSkill', input: { skillName: 'pdf' } }],
    [{ id: 'c2', tool: 'unloadSkill', input: { skillName: 'pdf' } }],
    [{ id: 'c3', tool: 'readPdf', input: { file: 'a.pdf' } }],
    'I cannot.',
  ])
  const workspace = await openOffice()
  await new ToolLoopAgent({ model, ...forAiSdk(workspace) }).generate({ prompt: 'Go on.' })
  expect(requestsText(model)).toMatchInlineSnapshot(`
    "--- request 1
    tools: loadSkill loadSkillFile unloadSkill clock
    system: You help in an office.

    ## Skill catalog

    Skills that can be loaded, by id:

    - \`bin\`: Destroys files.
    - \`pdf\`: Works with PDF files.

    ## Loading skills

    A skill brings instructions and tools that are not here until it is loaded. When a request fits a skill, call \`loadSkill\` with its id before you go on. Several may be loaded at once. Deactivate one you no longer need with \`unloadSkill\`; its tools go with it.


    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## Available tools

    - \`clock\`: Tell the time.
    user: Go on.
    --- request 2 (all messages of the request before, then)
    tools: loadSkill loadSkillFile unloadSkill clock readPdf
    assistant calls c1: loadSkill {"skillName":"pdf"}
    tool answers c1: json {"skill":"pdf","displayName":"Pdf","alreadyLoaded":false,"instructions":"Read before you answer.","tools":[{"name":"readPdf","status":"available","summary":"Read a PDF file."}],"files":[]}
    user: From the workspace, not from the user. Each section below replaces an earlier one of the same heading.

    ## SKILL TOOLS: Pdf

    - \`readPdf\`: Read a PDF file.
    --- request 3 (4 of 6 messages of the request before, then)
    tools: loadSkill loadSkillFile unloadSkill clock
    tool answers c1: text "{\\"message\\":\\"The skill was unloaded, and its instructions were withdrawn from here. Load it again if they are needed.\\"}"
    assistant calls c2: unloadSkill {"skillName":"pdf"}
    tool answers c2: json {"skill":"pdf","removedTools":["readPdf"],"note":"Its instructions, about 19 tokens, no longer apply. They leave the conversation once that is free."}
    --- request 4 (all messages of the request before, then)
    tools: loadSkill loadSkillFile unloadSkill clock
    assistant calls c3: readPdf {"file":"a.pdf"}
    tool answers c3: error-text "UNAVAILABLE: The tool \\"readPdf\\" is not available (skill-inactive): Skill \\"pdf\\" was deactivated by the model (call c2). Activate the skill \\"pdf\\".""
  `)
})

test('what a reader would not see of a tool is shown to the model, and calls go through', async () => {
  const hidden = 'Cuts\u202Eevas\u{E0041}.'
  const given: unknown[] = []
  const cut = defineTool({
    name: 'cut',
    description: hidden,
    inputSchema: {
      type: 'object',
      properties: { file: { enum: [hidden], description: hidden } },
    },
    execute: (input) => void given.push(input),
  })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [cut] }),
    metaTools: [],
  })
  const model = scriptedModel([[{ id: 'c1', tool: 'cut', input: { file: hidden } }], 'Done.'])
  await new ToolLoopAgent({ model, ...forAiSdk(workspace) }).generate({ prompt: 'Cut it.' })
  const shown = 'Cuts<U+202E>evas<U+E0041>.'
  expect(model.doGenerateCalls[0]?.tools).toMatchObject([
    {
      name: 'cut',
      description: shown,
      inputSchema: { properties: { file: { enum: [hidden], description: shown } } },
    },
  ])
  expect(given).toEqual([{ file: hidden }])
})

test('a workspace of another copy of the package is recognised', async () => {
  const workspace = await openOffice()
  vi.resetModules()
  const { forAiSdk: ofAnotherCopy } = await import('loadout/ai-sdk')
  const { VirtualWorkspace: Another } = await import('loadout')
  expect(workspace).not.toBeInstanceOf(Another)
  const model = scriptedModel(loadAndRead)
  const { text } = await new ToolLoopAgent({ model, ...ofAnotherCopy(workspace) }).generate({
    prompt: 'How long is a.pdf?',
  })
  expect(text).toBe('It has three pages.')
})
