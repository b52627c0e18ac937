import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { VirtualWorkspace } from 'loadout'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openChat } from '../../../../src/workbench/playground/chat/open-chat.ts'
import { removeAllTables } from '../../../../examples/workbench/skills/data-analysis/lib/session-tables.ts'
import { workbenchCatalog } from './open-shop.ts'

const catalog = await workbenchCatalog()
afterAll(removeAllTables)

const SALES = 'region,quantity\neast,9\nwest,4\n'

/** Talks to the scripted agent of the workbench in a folder with these files. */
async function talk(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'data-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const workspace = await VirtualWorkspace.open({ catalog, agent: 'assistant', services: { root } })
  onTestFinished(async () => {
    await workspace.close()
    rmSync(root, { recursive: true })
  })
  const { chat } = await openChat({ workspace, chats: null, ask: async () => null })
  return async (text: string) => {
    let answer = ''
    const calls: string[] = []
    for await (const event of chat.say(text, new AbortController().signal)) {
      if (event.type === 'text') answer += event.text
      if (event.type === 'call.ended') calls.push(event.tool)
    }
    return { answer, calls }
  }
}

test('a question about figures that names no file uses the only table there is', async () => {
  const say = await talk({ 'shop/data/sales.csv': SALES })
  const { answer, calls } = await say('which region sold most?')
  expect(calls).toEqual(['list_files', 'loadSkill', 'describe_table', 'query_table'])
  expect(answer).toContain('east | 9')
})

test('with several tables it asks which one, and goes on with the file that is named then', async () => {
  const say = await talk({ 'a/sales.csv': SALES, 'b/sales.csv': SALES.replace('9', '1') })
  const { answer } = await say('which region sold most?')
  expect(answer).toContain('- a/sales.csv\n- b/sales.csv')
  expect((await say('b/sales.csv')).answer).toContain('west | 4')
})

test('without a table it asks for one, and looks once', async () => {
  const say = await talk({ 'readme.md': '# Nothing' })
  const { answer, calls } = await say('which region sold most?')
  expect(calls).toEqual(['list_files'])
  expect(answer).toContain('Which file has the data? Name it')
})

test('a file that is in another folder than the request says is looked for by its name', async () => {
  const say = await talk({ 'shop/data/sales.csv': SALES })
  const { answer } = await say('which region sold most in data/sales.csv?')
  expect(answer).toContain('east | 9')
  const { answer: none, calls } = await say('which region sold most in data/sails.csv?')
  expect(calls).toEqual(['describe_table', 'list_files', 'describe_table'])
  expect(none).toContain('There is no file "data/sails.csv"')
})
