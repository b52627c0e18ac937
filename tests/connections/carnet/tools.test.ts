import { Carnet } from 'loadout/carnet'
import { expect, test } from 'vitest'
import { aManifest } from './a-manifest.ts'
import { answering, HOST_TOOLS } from './host-tools.ts'
import { runTool } from './run-tool.ts'

const make = () => new Carnet(aManifest())

test('loadSkill and loadSkillFile are offered, and the tools of loaded skills unchanged', () => {
  const tools = make().getTools('researcher', { tools: HOST_TOOLS })
  expect(Object.keys(tools)).toEqual([
    'loadSkill',
    'loadSkillFile',
    'basicSearch',
    'advancedSearch',
    'filterByDate',
  ])
  expect(tools['basicSearch']).toBe(HOST_TOOLS.basicSearch)
})

test('a loaded skill brings its tools to the next getTools, and not into the last one', async () => {
  const carnet = make()
  const before = carnet.getTools('researcher', { tools: HOST_TOOLS })
  await runTool(before, 'loadSkill', { skillName: 'dataAnalysis' })
  expect(before).not.toHaveProperty('analyzeStatistics')
  const after = carnet.getTools('researcher', { tools: HOST_TOOLS })
  expect(after['analyzeStatistics']).toBe(HOST_TOOLS.analyzeStatistics)
})

test('registered toolsets come out with the skills that name them, also tools no manifest lists', async () => {
  const carnet = make()
  const extra = answering('extra')
  carnet.registerDomainToolset('search-tools', { basicSearch: HOST_TOOLS.basicSearch })
  carnet.registerDomainToolset('search-tools', { extra })
  carnet.registerDomainToolset('statistical-analysis', {
    analyzeStatistics: HOST_TOOLS.analyzeStatistics,
  })
  expect(Object.keys(carnet.getTools('researcher'))).toEqual([
    'loadSkill',
    'loadSkillFile',
    'basicSearch',
    'extra',
  ])
  await runTool(carnet.getTools('researcher'), 'loadSkill', { skillName: 'dataAnalysis' })
  expect(carnet.getTools('researcher')['analyzeStatistics']).toBe(HOST_TOOLS.analyzeStatistics)
  expect(carnet.getAvailableTools('researcher')).toContain('extra')
  expect(carnet.getTools('writer')).not.toHaveProperty('extra')
})

test('a toolset that is registered after its skill was loaded comes out, too', () => {
  const carnet = make()
  carnet.getTools('researcher')
  carnet.registerDomainToolset('search-tools', { late: answering('late') })
  expect(carnet.getTools('researcher')).toHaveProperty('late')
  expect(carnet.getSessionState('researcher')?.exposedDomainTools).toContain('late')
})

test('a list of names lets only these through, of the meta-tools and the registered tools', () => {
  const carnet = make()
  carnet.registerDomainToolset('search-tools', HOST_TOOLS)
  const tools = carnet.getTools('researcher', {
    tools: ['listAvailableSkills', 'loadSkill', 'basicSearch'],
  })
  expect(Object.keys(tools)).toEqual(['listAvailableSkills', 'loadSkill', 'basicSearch'])
})

test('all meta-tools of the documents are offered by option, of the instance or of the call', () => {
  const five = [
    'listAvailableSkills',
    'loadSkill',
    'listSkillToolsets',
    'loadToolset',
    'loadTool',
  ] as const
  expect(Object.keys(new Carnet(aManifest(), { metaTools: five }).getTools('writer'))).toEqual(five)
  expect(Object.keys(make().getTools('writer', { metaTools: five }))).toEqual(five)
})

test('what getTools returns is the caller’s: changing it changes no other', () => {
  const carnet = make()
  const tools = carnet.getTools('researcher', { tools: HOST_TOOLS })
  delete tools['basicSearch']
  expect(carnet.getTools('researcher', { tools: HOST_TOOLS })).toHaveProperty('basicSearch')
})

test('of two tools of one name the last is used, and each clash is one entry of the log', () => {
  const carnet = make()
  const [first, second, third, given] = ['first', 'second', 'third', 'given'].map(answering)
  carnet.registerDomainToolset('search-tools', { basicSearch: first as never })
  carnet.registerDomainToolset('search-tools', { basicSearch: second as never })
  expect(carnet.getTools('researcher')['basicSearch']).toBe(second)
  carnet.registerDomainToolset('filter-tools', { basicSearch: third as never })
  expect(carnet.getTools('researcher')['basicSearch']).toBe(third)
  const tools = carnet.getTools('researcher', { tools: { basicSearch: given as never } })
  expect(tools['basicSearch']).toBe(given)
  carnet.getTools('researcher', { tools: { basicSearch: given as never } })
  const clashes = carnet.getWarnings('researcher').filter(({ code }) => code === 'tool-name-clash')
  expect(clashes.map(({ message }) => message)).toMatchInlineSnapshot(`
    [
      "The tool "basicSearch" was registered twice for the toolset "search-tools"; the last one is used.",
      "The toolsets "search-tools" and "filter-tools" both bring a tool "basicSearch"; that of "filter-tools" is used.",
      "The tool "basicSearch" is registered for the toolset "search-tools" and was given to getTools, too; the one given is used.",
      "The tool "basicSearch" is registered for the toolset "filter-tools" and was given to getTools, too; the one given is used.",
    ]
  `)
})

test('a tool with the name of a meta-tool is not used, and a warning says so', () => {
  const manifest = aManifest()
  manifest.toolsets['search-tools']?.tools.push('loadSkill')
  const carnet = new Carnet(manifest)
  const mine = answering('mine')
  expect(carnet.getTools('researcher', { tools: { loadSkill: mine } })['loadSkill']).not.toBe(mine)
  expect(carnet.getWarnings('researcher')).toContainEqual(
    expect.objectContaining({ code: 'meta-tool-name', subject: 'loadSkill' }),
  )
})

test('a loaded skill whose toolset has no registered tools is warned of by both names, once', () => {
  const carnet = make()
  carnet.registerDomainToolset('search-tools', HOST_TOOLS)
  carnet.getTools('researcher')
  carnet.getTools('researcher')
  expect(carnet.getWarnings('researcher')).toMatchInlineSnapshot(`
    [
      {
        "code": "toolset-without-tools",
        "hint": "Register them with registerDomainToolset("filter-tools", tools), or give them to getTools.",
        "message": "The skill "webSearch" is loaded, and no tool of its toolset "filter-tools" is registered.",
        "seq": 3,
        "subject": "filter-tools",
      },
    ]
  `)
})

test('warnings are entries of the session’s log', async () => {
  const carnet = make()
  carnet.getTools('researcher')
  const [warning] = carnet.getWarnings('researcher')
  const entries = await carnet.workspace('researcher').entries()
  expect(entries[warning?.seq ?? -1]?.event).toMatchObject({
    type: 'warning.given',
    code: warning?.code,
  })
})

test('tools can be called through the workspace, by their own schema', async () => {
  const carnet = make()
  const workspace = carnet.workspace('researcher')
  const early = await workspace.callTool('basicSearch', { query: 'tea' })
  expect(early).toMatchObject({ ok: false, error: { type: 'UNBOUND' } })
  carnet.getTools('researcher', { tools: HOST_TOOLS })
  const good = await workspace.callTool('basicSearch', { query: 'tea' })
  expect(good).toMatchObject({ ok: true, data: 'basicSearch: tea' })
  const bad = await workspace.callTool('basicSearch', { query: 7 })
  expect(bad).toMatchObject({ ok: false, error: { type: 'VALIDATION' } })
  const absent = await workspace.callTool('analyzeStatistics', { query: 'tea' })
  expect(absent).toMatchObject({ ok: false, error: { details: { status: 'skill-inactive' } } })
})

test('tools of a toolset that no skill has are warned of, with the nearest name', () => {
  const carnet = make()
  carnet.registerDomainToolset('serch-tools', HOST_TOOLS)
  carnet.getTools('researcher', { tools: HOST_TOOLS })
  carnet.getTools('researcher', { tools: HOST_TOOLS })
  expect(carnet.getWarnings('researcher').filter(({ code }) => code === 'toolset-unknown')).toEqual(
    [
      {
        seq: expect.any(Number),
        code: 'toolset-unknown',
        subject: 'serch-tools',
        message:
          'Tools are registered for the toolset "serch-tools", and neither the manifest nor a skill has it.',
        hint: 'Did you mean "search-tools" or "secret-tools"?',
      },
    ],
  )
})

test.each([
  ['no tools', undefined, /^The tools of a toolset are no object\. Give/v],
  ['a list', [HOST_TOOLS.basicSearch], /^The tools of a toolset are no object\. Give/v],
  [
    'a name in place of a tool',
    { basicSearch: 'basicSearch' },
    /^"basicSearch" is no tool\. Give/v,
  ],
])('a toolset that is registered with %s is refused', (_, tools, message) => {
  expect(() => make().registerDomainToolset('search-tools', tools as never)).toThrow(
    expect.objectContaining({
      name: 'ValidationError',
      entityName: 'search-tools',
      message: expect.stringMatching(message),
    }),
  )
})
