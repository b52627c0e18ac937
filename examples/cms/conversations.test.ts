import { expect, test } from 'vitest'
import { cmsCatalog } from './cms-catalog.ts'
import { listPages } from './database/pages.ts'
import { aboutPage } from './conversations/about-page.ts'
import type { Conversation } from './conversations/conversation.ts'
import { CONVERSATIONS } from './conversations/conversations.ts'
import { deletePage } from './conversations/delete-page.ts'
import { directAnswer } from './conversations/direct-answer.ts'
import { findHeroImage } from './conversations/find-hero-image.ts'
import { conversationText } from './run/report-text.ts'
import { runConversation } from './run/run-conversation.ts'
import { scriptedModel } from './run/scripted-model.ts'
import type { Setup } from './run/setup.ts'
import { aSite } from './testing/a-site.ts'

const catalog = await cmsCatalog()

async function run(conversation: Conversation, setup: Setup, services = aSite()) {
  const model = scriptedModel(conversation)
  return runConversation({ conversation, catalog, services, model, setup, provider: 'openai' })
}

async function stepsOf(conversation: Conversation, setup: Setup): Promise<string> {
  return conversationText(await run(conversation, setup), { figures: false })
}

test('A: a direct question costs no tool call', async () => {
  expect(await stepsOf(directAnswer, 'bridge')).toMatchInlineSnapshot(`
    "A, bridge: a question that needs no tool
      user: What is a section in a CMS?
      1. tool_search loadTool call_tool
         -> A part of a page with fields of its own, such as a headline over a picture.
      about nothing
      used  nothing"
  `)
})

test('B: the hero image costs one search and one call', async () => {
  expect(await stepsOf(findHeroImage, 'bridge')).toMatchInlineSnapshot(`
    "B, bridge: one search and one call
      user: Find the hero image.
      1. tool_search loadTool call_tool
         -> tool_search {"query":"find the hero image"}
      2. tool_search loadTool call_tool
         -> call_tool {"name":"cms_findImage","arguments":{"description":"hero image"}}
      3. tool_search loadTool call_tool
         -> It is hero-mountains.jpg: snowy mountains at sunrise.
      about image:1 hero-mountains.jpg
      used  tool_search 1, cms_findImage 1"
  `)
})

test('C: the third turn uses what the first one found, without a search', async () => {
  expect(await stepsOf(aboutPage, 'bridge')).toMatchInlineSnapshot(`
    "C, bridge: several tools, and a third turn that needs no search
      user: Create an about page with a hero.
      1. tool_search loadTool call_tool
         -> tool_search {"query":"create a page, section fields"}
      2. tool_search loadTool call_tool
         -> call_tool {"name":"cms_getSectionFields","arguments":{"template":"hero"}}
      3. tool_search loadTool call_tool
         -> call_tool {"name":"cms_createPageWithContent","arguments":{"title":"About","sections":[{"template":"hero","content":{"heading":"Two sisters, one house"}}]}}
      4. tool_search loadTool call_tool
         -> The page is at /about. Its hero has no image yet.
      user: Put a mountain picture into it, and link the page in the menu.
      1. tool_search loadTool call_tool
         -> tool_search {"query":"search images, add image to section"}
         -> tool_search {"query":"add an item to the navigation menu"}
      2. tool_search loadTool call_tool
         -> call_tool {"name":"cms_searchImages","arguments":{"query":"mountains"}}
      3. tool_search loadTool call_tool
         -> call_tool {"name":"cms_addImageToSection","arguments":{"section":3,"image":1}}
         -> call_tool {"name":"cms_addNavigationItem","arguments":{"label":"About","href":"/about"}}
      4. tool_search loadTool call_tool
         -> The hero shows the mountains at sunrise, and the menu has "About".
      user: Now a page "Jobs" in the same way.
      1. tool_search loadTool call_tool
         -> call_tool {"name":"cms_createPageWithContent","arguments":{"title":"Jobs","sections":[{"template":"hero","content":{"heading":"Work above the valley"}}]}}
      2. tool_search loadTool call_tool
         -> The page is at /jobs.
      about template:hero Hero, page:about About, image:1 hero-mountains.jpg, section:3 hero of about, navigation-item:4 About, page:jobs Jobs, section:4 hero of jobs
      used  cms_getSectionFields 1, tool_search 3, cms_searchImages 1, cms_addImageToSection 1, cms_addNavigationItem 1, cms_createPageWithContent 2"
  `)
})

test('a destructive call asks, and runs once when a person agrees', async () => {
  const services = aSite()
  const report = await run(deletePage, 'bridge', services)
  expect(conversationText(report, { figures: false })).toMatchInlineSnapshot(`
    "D, bridge: a destructive call that a person agrees to
      user: Delete the rooms page.
      1. tool_search loadTool call_tool
         -> tool_search {"query":"delete page"}
      2. tool_search loadTool call_tool
         -> call_tool {"name":"cms_deletePage","arguments":{"page":"rooms"}}
         a person agrees to call_tool {"name":"cms_deletePage","arguments":{"page":"rooms"}}
      3. tool_search loadTool call_tool
         -> The page is gone. The menu still links to it; shall I take that out, too?
      about nothing
      used  tool_search 1, cms_deletePage 1"
  `)
  expect(listPages(services.database).map(({ slug }) => slug)).toEqual(['home', 'contact'])
})

test.each(CONVERSATIONS)(
  '$name: a bridge keeps the whole of each request as the beginning of the next',
  async (conversation) => {
    const { turns } = await run(conversation, 'bridge')
    const steps = turns.flatMap((turn) => turn.steps)
    expect(steps.length).toBeGreaterThan(0)
    expect(steps.filter(({ kept, previous }) => kept !== previous)).toEqual([])
  },
)

test.each(CONVERSATIONS)(
  '$name: where found tools join the request, each is called by its name, and none is refused',
  async (conversation) => {
    const { turns, refused } = await run(conversation, 'active')
    const steps = turns.flatMap((turn) => turn.steps)
    for (const { tools, said } of steps) {
      const called = said.flatMap((one) => /^(\w+) \{/u.exec(one)?.[1] ?? [])
      expect(tools).toEqual(expect.arrayContaining(called))
    }
    expect(refused).toEqual([])
  },
)

test('the same conversation is the same requests, to the token', async () => {
  expect(await run(aboutPage, 'bridge')).toEqual(await run(aboutPage, 'bridge'))
})
