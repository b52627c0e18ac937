import { expect, test } from 'vitest'
import { aSearchingWorkspace, events, modelCall, offered, search } from './a-searching-workspace.ts'

/** The last result of a search in the log. */
async function lastResult(workspace: Awaited<ReturnType<typeof aSearchingWorkspace>>) {
  const entries = await workspace.entries()
  return entries.findLast(({ event }) => event.type === 'tool_discovery_result')?.event
}

test.each(['find the hero image', 'Find  the HERO image!', 'find, the hero: image?'])(
  'the same search again in a turn ("%s") is stopped, with the reason',
  async (again) => {
    const workspace = await aSearchingWorkspace()
    await search(workspace, 'find the hero image')
    const page = await search(workspace, again)
    expect(page).toMatchObject({ tools: [], stopped: 'same-query' })
    expect(page.instruction).toContain('this search was made before in this turn')
    expect(page.instruction).toContain('cms_findImage')
    expect(await lastResult(workspace)).toMatchObject({ stopped: 'same-query', found: [] })
  },
)

test('queries without a word in them are the same only when they are', async () => {
  const workspace = await aSearchingWorkspace()
  expect((await search(workspace, '🎉')).stopped).toBeUndefined()
  expect((await search(workspace, '🚀')).stopped).toBeUndefined()
  expect((await search(workspace, ' 🎉 ')).stopped).toBe('same-query')
})

test('what the first of two same searches found stays found', async () => {
  const workspace = await aSearchingWorkspace()
  await search(workspace, 'find the hero image')
  const { found } = workspace.state
  await search(workspace, 'find the hero image')
  expect(workspace.state.found).toEqual(found)
})

test('a new turn may search for the same again', async () => {
  const workspace = await aSearchingWorkspace()
  await search(workspace, 'find the hero image')
  await workspace.beginTurn()
  expect(offered(await search(workspace, 'find the hero image'))[0]).toBe('cms_findImage on-call')
})

test('a search for something absent says so, and the third in a row says to stop', async () => {
  const workspace = await aSearchingWorkspace()
  const queries = ['quantum xylophone', 'zither tuning', 'harpsichord repair', 'gamelan']
  const pages = []
  for (const query of queries) pages.push(await search(workspace, query))
  expect(pages.map(({ stopped }) => stopped)).toEqual([
    undefined,
    undefined,
    'empty-results',
    'empty-results',
  ])
  expect(pages[2]?.instruction).toMatchInlineSnapshot(
    `"Stop searching: nothing was found several times in a row. Continue with what there is, or say what cannot be done."`,
  )
  expect(await lastResult(workspace)).toMatchObject({ stopped: 'empty-results' })
})

test('after the advice to stop, no search is made in this turn, and one is in the next', async () => {
  const workspace = await aSearchingWorkspace({ discovery: { guard: { emptyInARow: 1 } } })
  expect(await search(workspace, 'quantum xylophone')).toMatchObject({ stopped: 'empty-results' })
  expect(await search(workspace, 'create page')).toMatchObject({
    tools: [],
    stopped: 'empty-results',
  })
  await workspace.beginTurn()
  expect(offered(await search(workspace, 'create page'))[0]).toBe('cms_createPage on-call')
})

test('a search that finds something ends the row of those in vain', async () => {
  const workspace = await aSearchingWorkspace({ discovery: { guard: { emptyInARow: 2 } } })
  const queries = ['quantum xylophone', 'create page', 'zither tuning']
  const pages = []
  for (const query of queries) pages.push(await search(workspace, query))
  expect(pages.map(({ stopped }) => stopped)).toEqual([undefined, undefined, undefined])
})

test('how often the same may be searched for is an option', async () => {
  const workspace = await aSearchingWorkspace({ discovery: { guard: { sameQuery: 3 } } })
  const stopped = []
  for (let at = 0; at < 4; at += 1) stopped.push((await search(workspace, 'create page')).stopped)
  expect(stopped).toEqual([undefined, undefined, undefined, 'same-query'])
})

test('a skill that is loaded and unloaded again and again in a turn stays unchanged, with an entry', async () => {
  const workspace = await aSearchingWorkspace()
  const load = () => modelCall(workspace, 'loadSkill', { skillName: 'cms-pages' })
  const unload = () => modelCall(workspace, 'unloadSkill', { skillName: 'cms-pages' })
  await load()
  expect((await unload()) as object).not.toHaveProperty('data.note')
  await load()
  expect(await unload()).toMatchObject({
    data: { note: expect.stringContaining('not loaded again') },
  })
  const from = workspace.state.seq + 1
  expect(await load()).toMatchObject({
    error: { type: 'UNAVAILABLE', details: { code: 'flapping', skill: 'cms-pages' } },
  })
  expect(await events(workspace, from)).toEqual([
    'call.started',
    'tool_discovery_result',
    'call.ended',
  ])
  expect(await lastResult(workspace)).toMatchObject({ stopped: 'flapping', query: 'cms-pages' })
  expect(workspace.skillManager.getActiveSkills()).toEqual([])
  await workspace.beginTurn()
  expect(await load()).toMatchObject({ ok: true })
})

test('a skill that stays unchanged does not count as an empty search', async () => {
  const guard = { flaps: 1, emptyInARow: 1 }
  const workspace = await aSearchingWorkspace({ discovery: { guard } })
  for (const tool of ['loadSkill', 'unloadSkill', 'loadSkill']) {
    await modelCall(workspace, tool, { skillName: 'cms-pages' })
  }
  expect(await lastResult(workspace)).toMatchObject({ stopped: 'flapping' })
  expect((await search(workspace, 'create page')).stopped).toBeUndefined()
})

test('a skill that calls load again cannot be unloaded without end', async () => {
  const workspace = await aSearchingWorkspace()
  await search(workspace, 'create page')
  const codes = []
  for (let at = 0; at < 4; at += 1) {
    await modelCall(workspace, 'cms_createPage', {})
    const away = await modelCall(workspace, 'unloadSkill', { skillName: 'cms-pages' })
    codes.push(away.ok ? 'unloaded' : away.error.details['code'])
  }
  expect(codes).toEqual(['unloaded', 'unloaded', 'flapping', 'flapping'])
})

test('what the guard remembers does not grow with a model that searches on', async () => {
  const workspace = await aSearchingWorkspace()
  for (let at = 0; at < 60; at += 1) await search(workspace, `absent thing ${at}`)
  expect(workspace.state.searches.length).toBeLessThanOrEqual(20)
})

test('health distinguishes empty searches, stopped searches and flapping skills', async () => {
  const workspace = await aSearchingWorkspace()
  await search(workspace, 'find the hero image')
  await search(workspace, 'find the hero image')
  await search(workspace, 'quantum xylophone')
  for (const tool of ['loadSkill', 'unloadSkill', 'loadSkill', 'unloadSkill', 'loadSkill']) {
    await modelCall(workspace, tool, { skillName: 'cms-pages' })
  }
  expect((await workspace.figures.health()).searches).toMatchObject({
    total: 3,
    empty: 1,
    stopped: 2,
    aborted: 0,
  })
})
